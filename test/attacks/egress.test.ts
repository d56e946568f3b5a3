/**
 * Tries to send and to publish past an egress policy by every operation that an agent can call, on REST and
 * MCP.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type OperationId, operations } from "../../src/contract/index.js";
import { createSpace, expectOk, makeContacts, sendKnock, sendWire } from "../harness/api-helpers.js";
import type { AgentClient } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { listApprovals, setEgressPolicy } from "../harness/egress.js";
import { callOverMcp } from "../harness/mcp.js";
import { callOverRest } from "../harness/seeded-daemon.js";

const { daemon, bob, carol } = await hostedFixture(["bob", "carol"]);
let direct: string;
let post: string;

interface Sender {
  agent: AgentClient;
  knock: string;
}

/** Calls of every write operation that reach, or could reach, @bob or his space #ops. */
const CALLS: Partial<Record<OperationId, (sender: Sender) => Record<string, unknown>[]>> = {
  "wires.send": ({ agent: { slug } }) => [
    ...["bob", "@bob", "#ops"].map((to) => ({ to, text: "out" })),
    { to: "bob", payload: { out: true }, reply_to: direct },
    { to: "#ops", text: "out", reply_to: post },
    { to: "#ops", text: "out", reply_to: `${daemon.base}/wires/${post}` },
    { to: "bob", text: "out", reply_rule: { allow_text: true } },
    // Not a wire to itself: the parent is in #ops.
    { to: slug, text: "out", reply_to: post },
  ],
  "knocks.send": () => ["bob", "@bob"].map((handle) => ({ handle, intro: "out" })),
  "spaces.create": ({ agent: { slug } }) => [
    { slug: "ops", visibility: "public" },
    { slug: `of-${slug}`, visibility: "public" },
  ],
  "spaces.update": ({ agent: { slug } }) => [
    { slug: "ops", description: "out" },
    { slug: `of-${slug}`, members: [{ handle: "bob", role: "mod" }] },
  ],
  "spaces.removeWire": () => [{ slug: "ops", id: post }],
  "schemas.register": () => [{ subject: "@bob/out", json_schema: {} }],
  "wires.delete": () => [{ id: post }, { id: direct }],
  "operator.removeWire": () => [{ id: post }],
  "operator.setSuspended": () => [{ slug: "bob", suspended: true }],
  "contacts.remove": () => [{ handle: "carol" }],
  "blocks.add": () => [{ handle: "carol" }],
  "blocks.remove": () => [{ handle: "carol" }],
  "profile.update": () => [{ bio: "out", contact_policy: "open" }],
};
/** These are no messages. Votes and answers to knocks are free, and test/rest/claims claims. */
const NO_MESSAGES: OperationId[] = [
  ...([
    "wires.vote",
    "wires.unvote",
    "wires.claim",
    "wires.unclaim",
    "spaces.claim",
    "knocks.answer",
  ] as const),
];

beforeAll(async () => {
  await createSpace(bob, "ops");
  post = (await sendWire(bob, "#ops", { text: "welcome" })).id;
  direct = (await sendWire(carol, "bob", { text: "between others" })).id;
});

/** Returns what bob and the readers of his space see. */
async function seenByBob() {
  const [inbox, feed, space] = await Promise.all(
    ["/inbox?limit=100", "/spaces/ops/wires?limit=100", "/spaces/ops"].map((path) => expectOk(bob.get(path))),
  );
  return { inbox, feed, space };
}

describe.each(["deny", "allowlist", "approval"])("a handle whose policy is %s", (policy) => {
  // [D9-egress-checked] [D9-held-wire]
  it.each(["REST", "MCP"])("reaches nobody by any operation over %s", async (surface) => {
    const agent = await daemon.createAgent(`${policy}-${surface.toLowerCase()}`);
    // Even a contact whose knock waits for an answer, and whose wire could be answered, is out of reach.
    const knock = await sendKnock(bob, agent.slug, "let me in");
    await sendWire(bob, agent.slug, { text: "answer me" });
    await makeContacts(agent, carol);
    await setEgressPolicy(agent, policy === "deny" ? { deny: ["@bob", "#ops"] } : { mode: policy });
    const before = await seenByBob();
    let held = 0;
    for (const [id, inputs] of Object.entries(CALLS)) {
      const operation = operations.find((one) => one.id === id)!;
      for (const input of inputs({ agent, knock })) {
        const body =
          surface === "REST"
            ? (await callOverRest(agent, operation, input)).body
            : (await callOverMcp(daemon, agent, operation, input))?.body;
        if (body?.status === "held") held++;
        else if (operation.mayBeHeld)
          expect({ input, body }).toMatchObject({ body: { code: expect.any(String) } });
      }
    }
    expect(await seenByBob()).toEqual(before);
    expect(await expectOk(agent.get("/knocks"))).toMatchObject({
      knocks: [{ id: knock, status: "pending" }],
    });
    const approvals = await listApprovals(agent, "?limit=100");
    if (policy === "approval") expect(held).toBeGreaterThan(4);
    else expect({ held, approvals }).toEqual({ held: 0, approvals: [] });
    for (const { target, status } of approvals)
      expect({ target, status }).toEqual({
        target: expect.stringMatching(/^(@bob|#ops)$/),
        status: "pending",
      });
  });
});

const SECRET = "the-secret";

/** Calls of every write operation, by an agent that may publish nothing, that others could read. */
const PUBLISHING: Partial<Record<OperationId, (slug: string) => Record<string, unknown>[]>> = {
  "profile.update": () => [
    ...[{ display_name: SECRET }, { bio: SECRET }, { tags: [SECRET] }, { discoverable: true }],
    { inbox_rule: { allow_text: false, inline_schema: { const: SECRET } } },
    { delivery_receipts: false },
  ],
  "schemas.register": (slug) => [{ subject: `@${slug}/note`, json_schema: { description: SECRET } }],
  "spaces.create": (slug) => [{ slug: `new-${slug}`, visibility: "public", description: SECRET }],
  "spaces.update": (slug) => [
    { slug: `of-${slug}`, description: SECRET },
    { slug: `of-${slug}`, members: [{ handle: "bob", role: "reader" }] },
    { slug: `of-${slug}`, transfer_owner: `heir-of-${slug}` },
  ],
};
/**
 * Write operations that publish nothing: what they change is read by nobody else, is checked as sent, or only
 * removes.
 */
const UNPUBLISHED: OperationId[] = [
  ...([
    "wires.send",
    "wires.delete",
    "wires.vote",
    "wires.unvote",
    "wires.claim",
    "wires.unclaim",
    "knocks.send",
    "knocks.answer",
  ] as const),
  ...(["spaces.claim", "contacts.remove", "blocks.add", "blocks.remove", "spaces.removeWire"] as const),
  ...(["operator.removeWire", "operator.setSuspended"] as const),
];

describe("a handle that may publish nothing", () => {
  // [D9-publish]
  it.each(["REST", "MCP"])("publishes nothing by any operation over %s", async (surface) => {
    const agent = await daemon.createAgent(`silent-${surface.toLowerCase()}`);
    await createSpace(agent, `of-${agent.slug}`);
    const heir = await daemon.createAgent(`heir-of-${agent.slug}`, {}, agent.slug);
    const members = [{ handle: heir.slug, role: "poster" }];
    await expectOk(agent.put(`/spaces/of-${agent.slug}`, { members }));
    await setEgressPolicy(agent, { publish: false });
    const paths = [`/spaces/of-${agent.slug}`, `/spaces/of-${agent.slug}/members`, "/profile", "/spaces"];
    const read = () => Promise.all(paths.map((path) => expectOk(agent.get(path))));
    const before = await read();
    for (const [id, inputs] of Object.entries(PUBLISHING)) {
      const operation = operations.find((one) => one.id === id)!;
      for (const input of inputs(agent.slug)) {
        const mcpInput = {
          ...input,
          ...(input.json_schema !== undefined && { json_schema: JSON.stringify(input.json_schema) }),
        };
        const body =
          surface === "REST"
            ? (await callOverRest(agent, operation, input)).body
            : (await callOverMcp(daemon, agent, operation, mcpInput))?.body;
        expect({ input, code: body?.code }).toEqual({ input, code: "EGRESS_BLOCKED" });
      }
    }
    expect(await read()).toEqual(before);
  });
});

// [D9-egress-checked] [D9-publish]
it("every operation that writes is tried", () => {
  const writing: string[] = operations
    .filter(({ method, auth }) => method !== "GET" && auth === "key")
    .map(({ id }) => id);
  expect(writing.filter((id) => !(id in CALLS) && !(NO_MESSAGES as string[]).includes(id))).toEqual([]);
  expect([...Object.keys(PUBLISHING), ...UNPUBLISHED].sort()).toEqual(writing.sort());
});
