// Answers turns without a referee: `node choose_lines.mjs GREEDY_JS` reads the fields of a turn as
// JSON, a line a turn, and writes the card chosen for each.

import readline from "node:readline";
import { pathToFileURL } from "node:url";

const { choose } = await import(pathToFileURL(process.argv[2]));
const cards = [];
for await (const line of readline.createInterface({ input: process.stdin })) {
  cards.push(choose(JSON.parse(line)));
}
process.stdout.write(JSON.stringify(cards));
