import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { successStatus } from "../../daemon/http/rest.js";
import { operations } from "../../src/contract/index.js";
import { errorCodesOf, type Operation } from "../../src/contract/operation.js";
import {
  type Json,
  type KnownNames,
  malformedRequest,
  mutatedInput,
  toRequest,
  validInput,
  type WireRequest,
} from "../harness/arbitrary-input.js";
import { type AgentClient, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { listApprovals, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { envelopeProblems } from "../harness/envelope.js";
import { type PlainResponse, sendUnnormalized } from "../harness/unnormalized-http.js";

/** `npm run fuzz` sets both variables. fast-check prints the seed and path that reproduce a failure. */
const numRuns = Number(process.env.WIREROOM_FUZZ_RUNS ?? 40);
const seed = Number(process.env.WIREROOM_FUZZ_SEED ?? 20_260_102);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const outputs = new Map<Operation, ValidateFunction>(
  operations.map((operation) => [
    operation,
    ajv.compile(withoutAdditionalProperties(operation.output) as Json),
  ]),
);

/**
 * Returns the schema without additional properties, because responses must not contain undocumented fields.
 */
function withoutAdditionalProperties(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAdditionalProperties);
  if (schema === null || typeof schema !== "object") return schema;
  const parts = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, withoutAdditionalProperties(part)]),
  );
  return "properties" in parts ? { additionalProperties: false, ...parts } : parts;
}

let daemon: TestDaemon;
let caller: AgentClient;
let pools: KnownNames;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS });
  caller = await daemon.createAgent("fuzz-caller", { discoverable: true });
  pools = await createResources(daemon, caller);
});
afterAll(() => daemon.stop());

/**
 * Creates resources of every kind. Returns their names, so that valid requests refer to existing resources.
 */
async function createResources(daemon: TestDaemon, caller: AgentClient): Promise<KnownNames> {
  const other = await daemon.createAgent("fuzz-other", { discoverable: true });
  await daemon.createAgent("fuzz-spare", {}, "fuzz-caller");
  await daemon.createAgent("fuzz-shy", { contact_policy: "contacts_only" });
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
  const knock = await (await daemon.createAgent("fuzz-knocker")).post("/knocks", {
    handle: "fuzz-caller",
    intro: "hi",
  });
  const asking = await daemon.createAgent("fuzz-asking", {}, "fuzz-caller");
  await setEgressPolicy(asking, { mode: "approval" });
  for (let n = 0; n < 5; n++) await sendHeldWire(asking, "fuzz-other", { text: `held ${n}`, payload: { n } });
  const held = await listApprovals(asking);
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
    "approvals.get.id": held.map(({ id }) => id),
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
    "operator.getHandle.slug": handles,
    sender: handles,
    "handles.create.slug": ["fuzz-caller", "fuzz-more"],
    transfer_owner: ["fuzz-other", "fuzz-caller"],
    ref: ["@fuzz-caller/quote", "@fuzz-caller/quote@1", "@fuzz-caller/quote@2", "@fuzz-other/none"],
    subject: ["@fuzz-caller/quote", "@fuzz-caller/new", "@fuzz-other/quote"],
    json_schema: [schema, { type: "string", pattern: "^a+$" }, { $ref: "#/nowhere" }, true, {}],
    payload: [{ price: 2 }, { price: "x" }, null],
    cursor: [feed.body.next_cursor ?? "s:1", inbox.body.next_cursor, "s:1", "s:x"],
    q: ["rates", '"hello" or -back', "the", "(", '"', "-"],
    wait: [0],
    wait_for_reply: [0],
  };
}

/** Returns the errors of a response. An empty list means that the response is correct. */
function responseErrors(operation: Operation, reply: PlainResponse, { wild = false } = {}): string[] {
  const { status, text, headers } = reply;
  const faults: string[] = [];
  const type = operation.stream && status === 200 ? "application/x-ndjson" : "application/json";
  if (!String(headers["content-type"]).startsWith(type)) faults.push(`not ${type}`);
  if (!headers["x-request-id"]) faults.push("no X-Request-Id");
  if (status >= 500) faults.push(`status ${status}`);
  if (status < 300) {
    if (status !== successStatus(operation, text)) faults.push(`status ${status} for success`);
    const validate = outputs.get(operation)!;
    for (const json of operation.stream ? text.trimEnd().split("\n") : [text]) {
      if (!validate(JSON.parse(json))) faults.push(ajv.errorsText(validate.errors));
    }
    return faults;
  }
  const body = JSON.parse(text);
  // A malformed path may match another route, or not be valid HTTP.
  const known: string[] = wild
    ? ["NOT_FOUND", "VALIDATION_ERROR", ...errorCodesOf(operation)]
    : errorCodesOf(operation);
  if (!known.includes(body.code)) faults.push(`${body.code} is not declared for ${operation.id}`);
  return [...faults, ...envelopeProblems(status, body)];
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

/** Returns the request without a wait, which would only slow down the test. */
function withoutWait(request: WireRequest): WireRequest {
  return {
    ...request,
    path: request.path.replace(/\bwait=[1-9]\d*\b/g, "wait=0"),
    body: request.body?.replace(/"wait_for_reply":\s*[1-9]\d*\b/g, '"wait_for_reply":0'),
  };
}

async function check(
  operation: Operation,
  requests: fc.Arbitrary<WireRequest>,
  options?: { wild: boolean },
): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const reply = await sendUnnormalized(daemon.origin, await authorized(operation, withoutWait(request)));
    const faults = responseErrors(operation, reply, options);
    if (faults.length > 0) throw new Error(`${faults.join("; ")} in ${reply.text.slice(0, 500)}`);
  });
  await fc.assert(property, { numRuns, seed });
}

describe(`any input (seed ${seed}, ${numRuns} runs each)`, () => {
  for (const operation of operations) {
    // [D2-no-5xx] [D2-internal] [S4-json]
    it(`${operation.id} accepts valid input without an internal error`, () =>
      check(
        operation,
        validInput(operation, pools).map((input) => toRequest(operation, input)),
      ));

    // [D2-no-5xx] [D2-internal] [S7-envelope]
    it(`${operation.id} rejects nearly valid input with the error envelope`, () =>
      check(
        operation,
        mutatedInput(operation, pools).map((input) => toRequest(operation, input)),
      ));

    // [D2-no-5xx] [S7-envelope]
    it(`${operation.id} survives malformed requests`, () =>
      check(operation, malformedRequest(operation, pools), { wild: true }));
  }

  // [D2-no-5xx]
  it("leaves the daemon running, and no internal error in its log", async () => {
    expect((await fetch(`${daemon.origin}/readyz`)).status).toBe(200);
    const faults = daemon
      .log()
      .split("\n")
      .filter((line) => line.includes('"request failed"'));
    expect(faults).toEqual([]);
  });
});
