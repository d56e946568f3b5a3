import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statusOf } from "../../daemon/http/rest.js";
import { operations } from "../../src/contract/index.js";
import { errorsOf, type Operation } from "../../src/contract/operation.js";
import {
  type Json,
  mutatedInput,
  type Pools,
  toRequest,
  validInput,
  type WireRequest,
  wildRequest,
} from "../harness/arbitrary-input.js";
import { type AgentClient, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { approvalsOf, sendHeld, setEgress } from "../harness/egress.js";
import { envelopeFaults } from "../harness/envelope.js";
import { type PlainReply, send } from "../harness/plain-http.js";

/** `npm run fuzz` sets both; what fails is run again with the seed and path that fast-check prints. */
const numRuns = Number(process.env.WIREROOM_FUZZ_RUNS ?? 40);
const seed = Number(process.env.WIREROOM_FUZZ_SEED ?? 20_260_102);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const outputs = new Map<Operation, ValidateFunction>(
  operations.map((operation) => [operation, ajv.compile(closed(operation.output) as Json)]),
);

/** The schema, in which no object may have more than the contract names: what is undocumented must not be sent. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return "properties" in parts ? { additionalProperties: false, ...parts } : parts;
}

let daemon: TestDaemon;
let caller: AgentClient;
let pools: Pools;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  caller = await daemon.agent("fuzz-caller", { discoverable: true });
  pools = await world(daemon, caller);
});
afterAll(() => daemon.stop());

/** Something of every kind, so that valid requests reach past the first lookup. */
async function world(daemon: TestDaemon, caller: AgentClient): Promise<Pools> {
  const other = await daemon.agent("fuzz-other", { discoverable: true });
  await daemon.agent("fuzz-spare", {}, "fuzz-caller");
  await daemon.agent("fuzz-shy", { contact_policy: "contacts_only" });
  const spareKey = await caller.owner.post("/keys", { handle_id: caller.id });
  const schema = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };
  await caller.post("/schemas", { subject: "@fuzz-caller/quote", json_schema: schema });
  const rule = { allow_text: true, accepted_schemas: ["@fuzz-caller/quote"], votable: true };
  await caller.post("/spaces", { slug: "fuzz-room", visibility: "public", root_rule: rule, tags: ["fuzz"] });
  await other.post("/spaces", { slug: "fuzz-hidden", visibility: "private" });
  await other.post("/spaces", { slug: "fuzz-other-room", visibility: "public" });
  const dm = await other.post("/wires", { to: "@fuzz-caller", text: "hello" });
  const post = await caller.post("/wires", { to: "#fuzz-room", text: "rates", payload: { price: 1 } });
  const own = await caller.post("/wires", { to: "@fuzz-other", text: "back" });
  const knock = await (await daemon.agent("fuzz-knocker")).post("/knocks", {
    handle: "fuzz-caller",
    intro: "hi",
  });
  const asking = await daemon.agent("fuzz-asking", {}, "fuzz-caller");
  await setEgress(asking, { mode: "approval" });
  for (let n = 0; n < 5; n++) await sendHeld(asking, "fuzz-other", { text: `held ${n}`, payload: { n } });
  const held = await approvalsOf(asking);
  const feed = await caller.get("/spaces/fuzz-room/wires?limit=1");
  const inbox = await caller.get("/inbox");
  const handles = ["@fuzz-other", "fuzz-shy", "@fuzz-caller", "no-such-handle"];
  const spaces = ["fuzz-room", "fuzz-hidden", "fuzz-other-room", "no-such-space"];
  const wires = [dm, post, own].flatMap(({ body }) => [body.id, body.uri]);
  return {
    to: [...handles, "#fuzz-room", "#fuzz-hidden", "#fuzz-other-room"],
    id: wires,
    reply_to: wires,
    "knocks.answer.id": [knock.body.id],
    "approvals.answer.id": held.map(({ id }) => id),
    "approvals.list.handle": ["fuzz-asking", "@fuzz-caller", "fuzz-other"],
    "egress.get.slug": ["fuzz-asking", "@fuzz-caller", "fuzz-other", "no-such-handle"],
    "egress.update.slug": ["@fuzz-asking", "fuzz-other", "no-such-handle"],
    "keys.revoke.id": [spareKey.body.id],
    handle_id: [caller.id, other.id],
    handle: handles,
    slug: spaces,
    "spaces.create.slug": ["fuzz-room", "fuzz-new", "wireroom-x"],
    "handles.retire.slug": ["@fuzz-spare", "fuzz-other", "no-such-handle"],
    "operator.setSuspended.slug": handles,
    "handles.create.slug": ["fuzz-caller", "fuzz-more"],
    transfer_owner: ["fuzz-other", "fuzz-caller"],
    ref: ["@fuzz-caller/quote", "@fuzz-caller/quote@1", "@fuzz-caller/quote@2", "@fuzz-other/none"],
    subject: ["@fuzz-caller/quote", "@fuzz-caller/new", "@fuzz-other/quote"],
    json_schema: [schema, { type: "string", pattern: "^a+$" }, { $ref: "#/nowhere" }, true, {}],
    payload: [{ price: 2 }, { price: "x" }, null],
    cursor: [feed.body.next_cursor ?? "s:1", inbox.body.next_cursor, "s:1", "s:x"],
    q: ["rates", '"hello" or -back', "the", "(", '"', "-"],
    wait: [0],
  };
}

/** What is wrong with the answer; none where it keeps every promise. */
function faultsOf(operation: Operation, reply: PlainReply, { wild = false } = {}): string[] {
  const { status, text, headers } = reply;
  const faults: string[] = [];
  const type = operation.stream && status === 200 ? "application/x-ndjson" : "application/json";
  if (!String(headers["content-type"]).startsWith(type)) faults.push(`not ${type}`);
  if (!headers["x-request-id"]) faults.push("no X-Request-Id");
  if (status >= 500) faults.push(`status ${status}`);
  if (status < 300) {
    if (status !== statusOf(operation, text)) faults.push(`status ${status} for success`);
    const validate = outputs.get(operation)!;
    for (const json of operation.stream ? text.trimEnd().split("\n") : [text]) {
      if (!validate(JSON.parse(json))) faults.push(ajv.errorsText(validate.errors));
    }
    return faults;
  }
  const body = JSON.parse(text);
  // A wild path may be another one altogether, or nothing that HTTP allows.
  const known: string[] = wild
    ? ["NOT_FOUND", "VALIDATION_ERROR", ...errorsOf(operation)]
    : errorsOf(operation);
  if (!known.includes(body.code)) faults.push(`${body.code} is not declared for ${operation.id}`);
  return [...faults, ...envelopeFaults(status, body)];
}

async function authorized(operation: Operation, request: WireRequest): Promise<WireRequest> {
  const token = operation.auth === "key" ? caller.key : await humanToken();
  return { ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } };
}

let token: Promise<string> | undefined;
function humanToken(): Promise<string> {
  token ??= daemon.issuer.token({ claims: { sub: "fuzz-caller", email: "fuzz-caller@example.com" } });
  return token;
}

/** A read that is held for up to a minute proves nothing here. */
function atOnce(request: WireRequest): WireRequest {
  return { ...request, path: request.path.replace(/\bwait=[1-9]\d*\b/g, "wait=0") };
}

async function check(
  operation: Operation,
  requests: fc.Arbitrary<WireRequest>,
  options?: { wild: boolean },
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const reply = await send(daemon.origin, await authorized(operation, atOnce(request)));
    const faults = faultsOf(operation, reply, options);
    if (faults.length > 0) throw new Error(`${faults.join("; ")} in ${reply.text.slice(0, 500)}`);
  });
  await fc.assert(property, { numRuns, seed });
}

describe(`any input (seed ${seed}, ${numRuns} runs each)`, () => {
  for (const operation of operations) {
    it(`${operation.id} takes valid input without a fault [D2-no-5xx] [S4-json]`, () =>
      check(
        operation,
        validInput(operation, pools).map((input) => toRequest(operation, input)),
      ));

    it(`${operation.id} refuses nearly valid input in the envelope [D2-no-5xx] [S7-envelope]`, () =>
      check(
        operation,
        mutatedInput(operation, pools).map((input) => toRequest(operation, input)),
      ));

    it(`${operation.id} withstands wild requests [D2-no-5xx] [S7-envelope]`, () =>
      check(operation, wildRequest(operation, pools), { wild: true }));
  }

  it("leaves the daemon alive and its log without a fault [D2-no-5xx]", async () => {
    expect((await fetch(`${daemon.origin}/readyz`)).status).toBe(200);
    const faults = daemon
      .log()
      .split("\n")
      .filter((line) => line.includes('"request failed"'));
    expect(faults).toEqual([]);
  });
});
