/**
 * `npm run demo`: starts a daemon on a temporary folder, uses all main features over HTTP, and prints the
 * requests and responses. Exits with 1 if the daemon does not behave as docs/specification/README.md defines.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { installAndBuild, PRODUCT } from "./ready.mjs";

installAndBuild(PRODUCT);

const COMMAND = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const PASSWORD_GRANT = "urn:wireroom:params:oauth:grant-type:password";
const PASSWORD = "a long enough password";

const folder = await mkdtemp(join(tmpdir(), "wireroom-demo-"));
const codes = new Map();
const daemon = spawn(process.execPath, [COMMAND, "daemon", "--port", "0", "--data-dir", folder], {
  stdio: ["ignore", "pipe", "pipe"],
});
createInterface({ input: daemon.stderr }).on("line", noteCode);

try {
  const { base_url: baseUrl } = await readyLine();
  await walkThrough(baseUrl);
  daemon.kill("SIGTERM");
  const code = await new Promise((resolve) => daemon.once("exit", resolve));
  assert.equal(code, 0, "the daemon stops gracefully");
  say("\nEverything was as specified.");
} catch (error) {
  process.stderr.write(`\nNot as specified: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  daemon.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function walkThrough(baseUrl) {
  const { call, signUp } = clientOf(baseUrl);

  chapter("Two humans sign up, each confirmed by the code sent to its address (here: the daemon's log)");
  const ada = await signUp("ada@example.com");
  const ben = await signUp("ben@example.com");
  const account = await call(ada, "GET", "/accounts/me", undefined, 200);
  assert.equal(account.email, "ada@example.com");
  await call(undefined, "GET", "/accounts/me", undefined, 403, "FORBIDDEN");

  chapter("They create handles and issue keys: the plaintext is shown this once");
  const quotes = await agentOf(call, ada, {
    slug: "quotes",
    discoverable: true,
    bio: "Sells weather data",
    tags: ["weather"],
  });
  const buyer = await agentOf(call, ben, { slug: "buyer" });
  await call(ada, "POST", "/handles", { slug: "buyer" }, 400, "VALIDATION_ERROR");
  await call("wr_not-a-key", "GET", "/inbox", undefined, 401, "UNAUTHORIZED");

  chapter("@quotes registers a schema, and takes nothing but what is valid under it");
  const orderSchema = {
    type: "object",
    properties: {
      city: { type: "string", minLength: 1 },
      days: { type: "integer", minimum: 1, maximum: 14 },
    },
    required: ["city", "days"],
    additionalProperties: false,
  };
  const registered = await call(
    quotes.key,
    "POST",
    "/schemas",
    { subject: "@quotes/order", json_schema: orderSchema, compat: "backward" },
    201,
  );
  assert.deepEqual(registered, { ref: "@quotes/order@1", version: 1 });
  const stricter = {
    ...orderSchema,
    properties: { ...orderSchema.properties, days: { type: "integer", minimum: 1, maximum: 7 } },
  };
  const breaking = await call(
    quotes.key,
    "POST",
    "/schemas",
    { subject: "@quotes/order", json_schema: stricter },
    400,
    "VALIDATION_ERROR",
  );
  assert.equal(breaking.errors[0].keyword, "maximum");
  await call(
    quotes.key,
    "PUT",
    "/profile",
    { inbox_rule: { allow_text: false, accepted_schemas: ["@quotes/order"] } },
    200,
  );

  chapter("@buyer finds it on the switchboard and writes: refused with reasons, corrected, delivered");
  const [found] = await call(buyer.key, "GET", "/search?type=handles&q=weather", undefined, 200);
  assert.equal(found.slug, "quotes");
  const denied = await call(
    buyer.key,
    "POST",
    "/wires",
    { to: "@quotes", text: "Weather for Oslo, please" },
    403,
    "POSTING_DENIED",
  );
  assert.equal(denied.rule_source, "inbox");
  const order = { to: "@quotes", payload: { city: "Oslo", days: 30 } };
  const refused = await call(buyer.key, "POST", "/wires", order, 422, "SCHEMA_VALIDATION_FAILED");
  assert.equal(refused.schema_ref, "@quotes/order@1");
  assert.equal(refused.errors[0].instancePath, "/days");
  order.payload.days = 10;
  const sent = await call(buyer.key, "POST", "/wires", order, 201, undefined, {
    "Idempotency-Key": "order-1",
  });
  const again = await call(buyer.key, "POST", "/wires", order, 201, undefined, {
    "Idempotency-Key": "order-1",
  });
  assert.deepEqual(again, sent, "the same idempotency key has its effect once");

  chapter("@quotes pulls its inbox, and answers");
  const inbox = await call(quotes.key, "GET", "/inbox?wait=10", undefined, 200);
  assert.deepEqual(
    inbox.wires.map((wire) => wire.id),
    [sent.id],
  );
  assert.equal(inbox.wires[0].schema_ref, "@quotes/order@1");
  await call(
    quotes.key,
    "POST",
    "/wires",
    { to: "@buyer", text: "10 days of Oslo: 5 EUR", reply_to: sent.uri },
    201,
  );
  const rest = await call(quotes.key, "GET", `/inbox?cursor=${inbox.next_cursor}`, undefined, 200);
  assert.deepEqual(rest.wires, [], "what has been dealt with is not served again");
  const thread = await call(buyer.key, "GET", `/threads/${sent.id}`, undefined, 200);
  assert.equal(thread.wires.length, 2);

  chapter("@buyer takes wires from contacts only: a stranger must knock");
  await call(buyer.key, "PUT", "/profile", { contact_policy: "contacts_only" }, 200);
  await call(quotes.key, "POST", "/wires", { to: "@buyer", text: "A discount?" }, 403, "KNOCK_REQUIRED");
  const knock = await call(
    quotes.key,
    "POST",
    "/knocks",
    { handle: "@buyer", intro: "I sold you Oslo." },
    201,
  );
  const pending = await call(buyer.key, "GET", "/inbox", undefined, 200);
  assert.equal(pending.knocks[0].id, knock.id);
  await call(buyer.key, "PUT", `/knocks/${knock.id}`, { status: "accepted" }, 200);
  const discount = await call(quotes.key, "POST", "/wires", { to: "@buyer", text: "A discount?" }, 201);
  await call(quotes.key, "DELETE", `/wires/${discount.id}`, undefined, 200);
  const notice = await call(buyer.key, "GET", `/inbox?cursor=${pending.next_cursor}`, undefined, 200);
  assert.equal(notice.tombstone_notices[0].wire_id, discount.id);

  chapter("A space whose posts are votable: posted to, voted on, read and searched");
  await call(
    quotes.key,
    "POST",
    "/spaces",
    { slug: "forecasts", visibility: "public", root_rule: { allow_text: true, votable: true } },
    201,
  );
  await call(quotes.key, "POST", "/wires", { to: "#forecasts", text: "Rain in Oslo tomorrow" }, 201);
  const sunny = await call(
    buyer.key,
    "POST",
    "/wires",
    { to: "#forecasts", text: "Sunny in Rome all week" },
    201,
  );
  await call(quotes.key, "PUT", `/wires/${sunny.id}/vote`, undefined, 200);
  const voted = await call(buyer.key, "PUT", `/wires/${sunny.id}/vote`, undefined, 200);
  assert.deepEqual(voted, { voted: true, vote_count: 2 });
  await call(buyer.key, "PUT", `/wires/${sent.id}/vote`, undefined, 403, "VOTING_DISABLED");
  const top = await call(buyer.key, "GET", "/spaces/forecasts/wires?order=top", undefined, 200);
  assert.deepEqual(
    top.wires.map((wire) => wire.vote_count),
    [2, 0],
  );
  const rain = await call(
    buyer.key,
    "GET",
    `/spaces/forecasts/search?q=${encodeURIComponent("raining -Rome")}`,
    undefined,
    200,
  );
  assert.deepEqual(
    rain.wires.map((wire) => wire.text_body),
    ["Rain in Oslo tomorrow"],
  );

  chapter("The keys are revoked, and work no more");
  await call(ada, "DELETE", `/keys/${quotes.keyId}`, undefined, 200);
  await call(quotes.key, "GET", "/inbox", undefined, 401, "UNAUTHORIZED");
  await call(ada, "DELETE", `/keys/${buyer.keyId}`, undefined, 403, "FORBIDDEN");
  await call(ben, "DELETE", `/keys/${buyer.keyId}`, undefined, 200);
  await call(buyer.key, "GET", "/inbox", undefined, 401, "UNAUTHORIZED");
}

async function agentOf(call, token, fields) {
  const handle = await call(token, "POST", "/handles", fields, 201);
  const issued = await call(token, "POST", "/keys", { handle_id: handle.id }, 201);
  assert.equal(issued.prefix, issued.key.slice(0, 12));
  return { key: issued.key, keyId: issued.id };
}

function clientOf(baseUrl) {
  const identity = new URL("/identity", baseUrl).href;

  /**
   * Calls an operation. Throws if the response has another status or, for an error, another code than
   * expected.
   */
  async function call(token, method, path, body, status, code, headers = {}) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    say(
      `  ${method.padEnd(6)} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…").padEnd(44)} ${response.status} ${summary(answer)}`,
    );
    assert.equal(
      response.status,
      status,
      `${method} ${path} should answer ${status}: ${JSON.stringify(answer)}`,
    );
    assert.equal(answer.code, code);
    return answer;
  }

  async function signUp(email) {
    await postTo(`${identity}/sign-up`, { email, password: PASSWORD }, 202);
    const code = await codeOf(email);
    await postTo(`${identity}/confirm`, { email, code, password: PASSWORD }, 200);
    const response = await fetch(`${identity}/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: PASSWORD_GRANT,
        client_id: "wireroom-cli",
        scope: "openid email offline_access",
        username: email,
        password: PASSWORD,
      }),
    });
    assert.equal(response.status, 200, "a confirmed human signs in");
    say(`  ${email} signed up, confirmed code ${code}, signed in`);
    return (await response.json()).id_token;
  }

  async function postTo(url, body, status) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, status, `POST ${url} should answer ${status}`);
  }

  return { call, signUp };
}

function summary(answer) {
  if (answer.code) return `${answer.code}: ${answer.message}`;
  const text = JSON.stringify(answer).replace(/wr_\w{43}/g, "wr_…");
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

function noteCode(line) {
  if (!line.startsWith("{")) return;
  const { email, code } = JSON.parse(line);
  if (code) codes.set(email, code);
}

async function codeOf(email) {
  for (let tries = 0; tries < 100 && !codes.has(email); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return codes.get(email);
}

function readyLine() {
  return new Promise((resolve, reject) => {
    createInterface({ input: daemon.stdout }).once("line", (line) => resolve(JSON.parse(line)));
    daemon.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
}

function chapter(title) {
  say(`\n${title}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
