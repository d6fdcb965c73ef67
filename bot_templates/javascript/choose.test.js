// Tests of the bot: run `node --test` in this folder. They need no packages.

import assert from "node:assert/strict";
import test from "node:test";

import { beats, choose } from "./choose.js";

const card = (name) => "cdhs".indexOf(name[1]) * 13 + "23456789TJQKA".indexOf(name[0]);
const cards = (names) => Uint8Array.from(names.split(" "), card);

test("a trump wins over every other suit, and a higher card over a lower one of its suit", () => {
  const trump = 1; // diamonds
  assert.ok(beats(card("2d"), card("As"), trump));
  assert.ok(beats(card("Ks"), card("Qs"), trump));
  assert.ok(!beats(card("Ah"), card("2s"), trump));
});

test("it plays a legal card, whatever it is dealt", () => {
  for (let led = -1; led < 52; led++) {
    for (let first = 0; first < 51; first++) {
      const legal = Uint8Array.from([first, 51]);
      const turn = { legal, trumpCard: 20, led: led < 0 ? undefined : led, stockTop: 7 };
      assert.ok(legal.includes(choose(turn)));
    }
  }
});

test("it takes a ten with the cheapest card that wins", () => {
  const turn = { legal: cards("2s Js As"), trumpCard: card("3h"), led: card("Ts") };
  assert.equal(choose(turn), card("Js"));
});
