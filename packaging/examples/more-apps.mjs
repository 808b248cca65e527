#!/usr/bin/env node
// Lists the apps that HOST may promote, or taps one of them: node more-apps.mjs HOST [APP]
import { connect } from "node:net";
import { json } from "node:stream/consumers";

const path = process.env.PROMOD_SOCKET || `${process.env.XDG_RUNTIME_DIR}/promod/promod.sock`;
const language = process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG;
const [host, app] = process.argv.slice(2);

/** The result of a request about the host: promod answers a line of JSON with another, and closes the connection. */
async function ask(method, members) {
  const promod = connect(path);
  promod.setTimeout(35_000, () => promod.destroy());
  promod.end(JSON.stringify({ method, host, ...members }) + "\n");
  const { result, error } = await json(promod).catch(() => ({ error: { message: "Apps cannot be shown right now." } }));
  if (error) {
    console.error(error.message);
    process.exit(1);
  }
  return result;
}

if (app) {
  const { message, storeURL } = await ask("tap", { app, language });
  console.log(message ?? `Open ${storeURL}`);
} else {
  const { apps, canRetry } = await ask("list", { limit: 100, language, wait: true });
  for (const { id, name, category, tagline } of apps) console.log(`${id}: ${name} (${category}), ${tagline}`);
  if (apps.length) await ask("impression", { apps: apps.map(app => app.id) });
  else console.log(canRetry ? "Apps cannot be shown right now." : "There are no other apps to show.");
}
