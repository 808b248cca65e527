#!/usr/bin/env node
// Lists the apps that HOST may promote, again whenever they change, and says which were tapped: node more-apps.mjs [HOST]
// Type the id of an app to tap it.
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { getuid, env, argv, stdin, stdout } from "node:process";

const DEADLINE = 5000, FIRST_PAUSE = 100, LONGEST_PAUSE = 5000; // milliseconds
const runtime = env.XDG_RUNTIME_DIR?.startsWith("/") ? env.XDG_RUNTIME_DIR : `/run/user/${getuid()}`;
const path = env.PROMOD_SOCKET || `${runtime}/promod/promod.sock`;
const host = argv[2] ? { host: argv[2] } : {};
let position = {}, pause = 0, shown = "", ask;

/** Connects, and again whenever the connection ends. */
function follow() {
  const socket = connect(path).setEncoding("utf8"), pending = new Map();
  let rest = "", lastID = 0, subscribedAt = Infinity, reason = "promod has ended the connection.";

  /** Sends a request, and calls `use` with its result. A reply that does not come in time ends the connection. */
  ask = (method, params, use, refused = text => socket.destroy(new Error(text))) => {
    const timer = setTimeout(() => socket.destroy(new Error(`promod does not answer at ${path}.`)), DEADLINE);
    pending.set(++lastID, { use, refused, timer });
    socket.write(JSON.stringify({ jsonrpc: "2.0", id: lastID, method, params: { ...host, ...params } }) + "\n");
  };

  function receive({ id, result, error, params: event }) {
    if (event) {
      position.since = event.seq;
      if (event.event === "tap") console.log(`${event.app} was tapped.`);
      if (event.event === "catalog") ask("list", {}, show);
    } else if (pending.has(id)) {
      const { use, refused, timer } = pending.get(id);
      clearTimeout(timer);
      pending.delete(id);
      if (error) refused(error.message); else use(result);
    } else {
      socket.destroy(new Error(error?.message)); // It is busy.
    }
  }

  ask("subscribe", { events: ["catalog", "tap"], ...position }, ({ epoch, since }) => {
    subscribedAt = performance.now();
    position = { epoch, since };
    ask("list", {}, show); // It may have changed before.
  });

  socket.on("data", piece => {
    const lines = (rest + piece).split("\n"); // Not readline, which takes other characters for the ends of lines, too.
    rest = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
  socket.on("error", error => { reason = error.syscall ? `promod cannot be reached at ${path} (${error.code}).` : error.message; });
  socket.on("close", () => {
    for (const { timer } of pending.values()) clearTimeout(timer);
    ask = undefined;
    // The pause grows unless the connection lasted, and is random, because other clients have lost theirs at the same moment.
    if (performance.now() - subscribedAt > LONGEST_PAUSE) pause = 0;
    pause = Math.min(2 * pause, LONGEST_PAUSE) || FIRST_PAUSE;
    const wait = pause * (0.5 + Math.random() / 2);
    console.log(`${reason} Trying again in ${(wait / 1000).toFixed(1)} s.`);
    setTimeout(follow, wait);
  });
}

/** Text of a catalog on one line, without control characters and what changes the direction, up to the edge of the terminal. */
function line(text) {
  const room = stdout.columns ?? 80;
  let width = 0, kept = "";
  for (const character of text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "")) {
    width += /[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u.test(character) ? 2 : 1;
    if (width >= room) return kept + "…";
    kept += character;
  }
  return kept;
}

function show({ apps, source }) {
  const lines = apps.map(app => line(`${app.id}: ${app.name} - ${app.tagline}`));
  if (apps.length === 0) lines.push("There are no apps to show.");
  else if (source === "sample") lines.push("These apps are made up.");
  const text = lines.join("\n");
  if (text !== shown) console.log(text);
  shown = text;
}

follow();
createInterface({ input: stdin }).on("line", app => {
  if (!ask) console.log("promod cannot be reached.");
  ask?.("tap", { app: app.trim() }, ({ message, storeURL }) => console.log(message ?? `Open ${storeURL}`), console.log);
});
