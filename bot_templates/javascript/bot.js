// The bot process: the whole conversation with the referee, from Hello to Goodbye.
//
// It speaks proto/californiajack/v1 directly. To write a bot of your own, keep this file and
// write your own choose.js.

import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

import { choose } from "./choose.js";

const PROTOCOL_VERSION = 1;
const MAX_GAMES = 128; // how many games this process plays at once
const PROTO_FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), "proto");

main();

function main() {
  const address = process.env.CALJACK_ADDRESS;
  const token = process.env.CALJACK_TOKEN;
  if (!address || !token) {
    console.error(
      "This program is a California Jack bot; the referee starts it.\n" +
        "To let it play, submit its folder (with a bot.toml): caljack submit FOLDER\n" +
        "(Expected CALJACK_ADDRESS and CALJACK_TOKEN in the environment.)",
    );
    process.exitCode = 2;
    return;
  }
  converse(connect(address), token);
}

// Makes a client of the referee. The address is a gRPC target, such as unix:/tmp/seat.sock.
function connect(address) {
  const definition = protoLoader.loadSync("californiajack/v1/referee_service.proto", {
    includeDirs: [PROTO_FOLDER],
    longs: String, // turn numbers are 64 bits wide, more than a JavaScript number holds
    enums: String,
    defaults: true, // absent numbers are 0, absent lists are empty; `optional` fields stay absent
    oneofs: true, // `response.message` names the part that is set
  });
  const { RefereeService } = grpc.loadPackageDefinition(definition).californiajack.v1;
  return new RefereeService(address, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": 16 * 1024 * 1024,
    "grpc.enable_http_proxy": 0,
  });
}

// Plays until the referee has no more games. All games share this one stream.
function converse(client, token) {
  const stream = client.play();
  let left = false; // whether Goodbye has been said
  let faulted = false; // whether the referee has told of a fault already

  stream.on("data", (response) => {
    switch (response.message) {
      case "welcome":
        stream.write({ ready: {} });
        break;
      case "batch":
        answer(response.batch, stream);
        break;
      case "farewell":
        stream.write({ goodbye: {} });
        stream.end(); // closes our side; the referee's status follows
        left = true;
        break;
      case "fault":
        faulted = true;
        fail(`The referee ended the conversation: ${describeFault(response.fault)}`);
        break;
      default: // a newer referee may say more; what we don't know we needn't answer
    }
  });

  // Every status but OK arrives here, a lost connection (UNAVAILABLE) included. After a fault the
  // status says nothing new.
  stream.on("error", (error) => {
    if (!faulted) {
      fail(`The referee is gone: ${error.details} (${grpc.status[error.code]})`);
    }
  });
  stream.on("status", (status) => {
    if (status.code === grpc.status.OK && !left && !faulted) {
      fail("The referee is gone: it ended the stream without a Farewell");
    }
    client.close(); // nothing else keeps the process alive
  });

  stream.write({
    hello: {
      version: PROTOCOL_VERSION,
      token,
      maxGames: MAX_GAMES,
      software: `Node.js ${process.version}`,
    },
  });
}

// Answers all turns of a batch in one message. A turn is a whole observation, so the news of games
// and rounds that comes with it can be left unread by a bot without a memory.
function answer(batch, stream) {
  const moves = [];
  for (const turn of batch.turns) {
    try {
      moves.push({ turn: turn.turn, card: choose(turn) });
    } catch (error) {
      // An error loses the one game it happened in; the others go on.
      console.error(error);
      stream.write({ forfeit: { game: turn.game, reason: String(error) } });
    }
  }
  if (moves.length > 0) {
    stream.write({ moves: { moves } });
  }
}

function describeFault(fault) {
  return `${fault.message} (${fault.reason.replace("FAULT_REASON_", "")})`;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
