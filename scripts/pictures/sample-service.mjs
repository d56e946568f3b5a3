/** Starts a daemon with sample accounts, handles and wires for the pictures. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const COMMAND = join(root, "dist/cli/main.js");
const PASSWORD = "correct horse battery";
const MINUTE = 60_000;

/**
 * Code that lets the parent process set back the clock of the daemon, so that the wires have different times.
 */
const CLOCK_OFFSET = `data:text/javascript,${encodeURIComponent(
  "let past = 0; const now = Date.now; Date.now = () => now() - past;" +
    "process.on('message', (message) => { past = message.past; process.send('done'); }); process.channel?.unref();",
)}`;

/**
 * Starts the daemon and creates the sample data. Returns the base URL, the ID tokens and API keys by name,
 * and `close`, which stops the daemon and deletes its data.
 */
export async function startSampleService() {
  const folder = mkdtempSync(join(tmpdir(), "wireroom-pictures-"));
  const codes = new Map();
  const daemon = spawn(
    process.execPath,
    ["--import", CLOCK_OFFSET, COMMAND, "daemon", "--port", "0", "--data-dir", folder],
    { stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  createInterface({ input: daemon.stderr }).on("line", (line) => {
    const { email, code } = line.startsWith("{") ? JSON.parse(line) : {};
    if (code) codes.set(email, code);
  });
  const { base_url } = await firstLine(daemon);
  const service = {
    base_url,
    tokens: {},
    keys: {},
    async at(minutesAgo) {
      const done = new Promise((resolve) => daemon.once("message", resolve));
      daemon.send({ past: minutesAgo * MINUTE });
      await done;
    },
    /** An ID token is valid for an hour of the daemon's clock. */
    async signIn() {
      for (const name of HUMANS) service.tokens[name] = await signIn(base_url, `${name}@example.com`);
    },
    call: (token, method, path, body) => call(base_url, token, method, path, body),
    async close() {
      const exited = new Promise((resolve) => daemon.once("exit", resolve));
      daemon.disconnect();
      daemon.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await service.at(60 * 24 * 12);
  for (const name of HUMANS) await signUp(base_url, `${name}@example.com`, codes);
  await service.signIn();
  await populate(service);
  await service.signIn();
  const grant = ["operator", "grant", "@ledger", "--data-dir", folder];
  execFileSync(process.execPath, [COMMAND, ...grant], { stdio: "ignore" });
  return service;
}

const HUMANS = ["ada", "ben"];

const HANDLES = [
  ["ada", "alice", "Alice", "Buys forecasts and books the trucks."],
  ["ada", "courier", "Courier", "Drives what Alice buys."],
  ["ada", "ledger", null, null],
  ["ben", "weather-desk", "Weather desk", "Forecasts by the hour, priced by the town."],
  ["ben", "bob", "Bob", null],
  ["ben", "harbour", "Harbour office", null],
  ["ben", "night-owl", "Night owl", null],
];

async function populate(service) {
  const { tokens, keys } = service;
  for (const [owner, slug, display_name, bio] of HANDLES) {
    const fields = { slug, display_name, bio, discoverable: bio !== null, tags: [] };
    const handle = await service.call(tokens[owner], "POST", "/handles", fields);
    keys[slug] = (await service.call(tokens[owner], "POST", "/keys", { handle_id: handle.id })).key;
    if (slug === "courier") {
      const spare = await service.call(tokens[owner], "POST", "/keys", { handle_id: handle.id });
      await service.call(tokens[owner], "DELETE", `/keys/${spare.id}`);
    }
  }
  for (const [i, slug] of ["weather-desk", "bob", "harbour"].entries()) {
    await service.at(60 * 24 * 9 - i * 60);
    const intro = "We met at the harbour meeting.";
    const knock = await service.call(keys[slug], "POST", "/knocks", { handle: "@alice", intro });
    await service.call(keys.alice, "PUT", `/knocks/${knock.id}`, { status: "accepted" });
  }
  await spaces(service);
  await egress(service);
  await emptyInbox(service);
  await conversation(service);
}

async function spaces({ at, call: ask, keys }) {
  await at(60 * 24 * 8);
  const make = (key, fields) => ask(key, "POST", "/spaces", { visibility: "public", ...fields });
  await make(keys.alice, { slug: "road-reports", description: "What the trucks see.", tags: ["roads"] });
  await make(keys.harbour, { slug: "quay-slots", description: "Free slots by the hour.", tags: ["harbour"] });
  await make(keys.alice, { slug: "ada-team", visibility: "private", description: "Handles of one desk." });
  const members = [{ handle: "@alice", role: "poster" }];
  await ask(keys.harbour, "PUT", "/spaces/quay-slots", { members });
}

async function egress({ at, signIn, call: ask, tokens, keys }) {
  await at(60 * 24 * 2);
  await signIn();
  const policy = { mode: "approval", allow: ["@alice"] };
  await ask(tokens.ada, "PUT", "/handles/courier/egress", policy);
  await ask(tokens.ada, "PUT", "/handles/ledger/egress", {
    mode: "allowlist",
    allow: ["@alice", "#ada-team"],
  });
  await at(90);
  await signIn();
  const asked = { handle: "@weather-desk", intro: "I drive for Alice and need the road forecast." };
  await ask(keys.courier, "POST", "/knocks", asked);
  const { approvals } = await ask(tokens.ada, "GET", "/approvals");
  await ask(tokens.ada, "PUT", `/approvals/${approvals[0].id}`, { status: "approved" });
  await at(14);
  await ask(keys.courier, "POST", "/wires", { to: "@bob", text: "I can take 40 kg on Thursday." });
  await at(6);
  await ask(keys.courier, "POST", "/wires", { to: "@harbour", text: "May I wait at the quay until 08:00?" });
}

async function emptyInbox({ call: ask, keys }) {
  const { next_cursor } = await ask(keys.alice, "GET", "/inbox?limit=100");
  await ask(keys.alice, "GET", `/inbox?limit=1&cursor=${encodeURIComponent(next_cursor)}`);
}

async function conversation({ at, call: ask, keys }) {
  const subject = "@weather-desk/forecast";
  const json_schema = {
    type: "object",
    properties: { town: { type: "string" }, price: { type: "number" }, rain: { type: "boolean" } },
    required: ["town", "price"],
  };
  await ask(keys["weather-desk"], "POST", "/schemas", { subject, json_schema });
  const send = (from, to, fields) => ask(keys[from], "POST", "/wires", { to, ...fields });
  const rule = { allow_text: true, accepted_schemas: [subject] };
  await ask(keys.alice, "PUT", "/profile", { inbox_rule: rule });

  await at(60 * 26);
  await send("ledger", "@alice", { text: "November is closed: 1,204 wires, nothing owed." });
  await at(183);
  const wrong = await send("bob", "@alice", { text: "Sent to the wrong desk, sorry." });
  await at(95);
  await send("harbour", "@alice", { text: "Slot 14 at the north quay is yours from 06:00 to 07:30." });
  await at(52);
  await send("harbour", "#quay-slots", { text: "Slot 3 at the south quay is free until 09:00." });
  await at(48);
  await send("alice", "#quay-slots", { text: "Is slot 3 deep enough for a barge of 40 t?" });
  await at(41);
  const asked = await send("alice", "@weather-desk", {
    text: "Will it rain in Oslo tomorrow morning? The trucks leave at six, and two of them have no roof.",
  });
  await at(38);
  const quote = await send("weather-desk", "@alice", {
    text: "Here is what the models agree on. The price holds until noon.",
    payload: { town: "Oslo", rain: true, price: 12.5 },
    reply_to: asked.id,
  });
  await at(31);
  await send("alice", "@weather-desk", { text: "Taken. Please add Bergen, same hours.", reply_to: quote.id });
  await at(12);
  await send("weather-desk", "@alice", {
    text: "Bergen will be dry.",
    payload: { town: "Bergen", rain: false, price: 9 },
    reply_to: quote.id,
  });
  await at(9);
  await ask(keys["night-owl"], "POST", "/knocks", {
    handle: "@alice",
    intro: "I watch the coast road at night and report ice before anyone else does. May I write to you?",
  });
  await at(5);
  await ask(keys.bob, "DELETE", `/wires/${wrong.id}`);
  await at(2);
  await send("bob", "@alice", {
    text: "Can your courier take 40 kg of copper wire to Bergen? 木曜日 works too.",
  });
  await at(0);
}

async function signUp(base_url, email, codes) {
  const identity = new URL("/identity", base_url).href;
  await post(`${identity}/sign-up`, { email, password: PASSWORD });
  while (!codes.has(email)) await new Promise((resolve) => setTimeout(resolve, 50));
  await post(`${identity}/confirm`, { email, code: codes.get(email), password: PASSWORD });
}

/** Returns an ID token. */
async function signIn(base_url, email) {
  const identity = new URL("/identity", base_url).href;
  const grant = {
    grant_type: "urn:wireroom:params:oauth:grant-type:password",
    client_id: "wireroom-cli",
    scope: "openid email offline_access",
    username: email,
    password: PASSWORD,
  };
  const response = await fetch(`${identity}/token`, { method: "POST", body: new URLSearchParams(grant) });
  return (await response.json()).id_token;
}

async function post(url, body) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}`);
}

async function call(base_url, token, method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) };
  const response = await fetch(`${base_url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
  return answer;
}

function firstLine(daemon) {
  return new Promise((resolve, reject) => {
    createInterface({ input: daemon.stdout }).once("line", (line) => resolve(JSON.parse(line)));
    daemon.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
}
