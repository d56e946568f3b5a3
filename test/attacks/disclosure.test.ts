/**
 * Calls every operation as a handle that may not see a resource. The response must be the same as for a
 * resource that does not exist, and nothing may change.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type OperationId, operations } from "../../src/contract/index.js";
import type { Operation } from "../../src/contract/operation.js";
import {
  createSpace,
  expectOk,
  expectRefused,
  readInboxToEnd,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { findApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { callOverMcp } from "../harness/mcp.js";
import { callOverRest } from "../harness/seeded-daemon.js";
import { addSignIn } from "../harness/sign-ins.js";

/** A word in everything that the attackers may not read. */
const SECRET = "zebrafish";

const { daemon, alice, bob, eve, mallory, former } = await hostedFixture([
  ...(["alice", "bob", "eve", "mallory", "former"] as const),
]);
const attackers = { "a stranger": eve, "a blocked handle": mallory, "a former member": former };
type Attacker = keyof typeof attackers;

/** Names of the resources that an operation is called with. */
interface Names {
  space: string;
  wire: string;
  reply: string;
  held: string;
  knock: string;
  key: string;
  handleId: string;
  approval: string;
  signIn: string;
}

const absent: Names = {
  space: "no-such-space",
  wire: "019a2f6e-8c1b-7c3d-9e4f-000000000001",
  reply: "019a2f6e-8c1b-7c3d-9e4f-000000000002",
  held: "019a2f6e-8c1b-7c3d-9e4f-000000000003",
  knock: "019a2f6e-8c1b-7c3d-9e4f-000000000004",
  key: "019a2f6e-8c1b-7c3d-9e4f-000000000005",
  handleId: "019a2f6e-8c1b-7c3d-9e4f-000000000006",
  approval: "019a2f6e-8c1b-7c3d-9e4f-000000000007",
  signIn: "019a2f6e-8c1b-7c3d-9e4f-000000000008",
};
let hidden: Names;
let directWire: string;

type Inputs = readonly Record<string, unknown>[];

/** For each operation that names a hidden resource, the inputs of the attack. */
const ATTACKS: Partial<Record<OperationId, (names: Names, self: AgentClient) => Inputs>> = {
  "wires.send": ({ space, wire, reply, held }, { slug }) => [
    { to: `#${space}`, text: "in" },
    { to: `#${space}`, text: "in", reply_to: wire },
    ...[wire, reply, held].flatMap((id) => [
      { to: slug, text: "near", reply_to: id },
      { to: `#room-of-${slug}`, text: "near", reply_to: `${daemon.base}/wires/${id}` },
    ]),
  ],
  "wires.get": (names) => wireNames(names).map((id) => ({ id })),
  // The former member may delete `wire`, because it sent it.
  "wires.delete": ({ reply, held }) => [{ id: reply }, { id: held }],
  "wires.vote": (names) => wireNames(names).map((id) => ({ id })),
  "wires.unvote": (names) => wireNames(names).map((id) => ({ id })),
  "wires.claim": (names) => wireNames(names).flatMap((id) => [{ id }, { id, token: "1.x", done: true }]),
  "wires.unclaim": (names) => wireNames(names).map((id) => ({ id, token: "1.x" })),
  "threads.get": (names) => wireNames(names).flatMap((id) => [{ id }, { id, cursor: "latest", wait: 1 }]),
  "handles.thread": (names, { slug }) => wireNames(names).map((id) => ({ slug, id })),
  "knocks.answer": ({ knock }) => ["accepted", "rejected"].map((status) => ({ id: knock, status })),
  "spaces.update": ({ space }, { slug }) => [
    { slug: space },
    { slug: space, description: "taken" },
    { slug: space, transfer_owner: slug },
    ...["reader", "mod", "remove"].map((role) => ({ slug: space, members: [{ handle: slug, role }] })),
  ],
  "spaces.get": ({ space }) => [{ slug: space }],
  "spaces.members": ({ space }) => [{ slug: space }],
  "spaces.feed": ({ space }) => [
    { slug: space },
    { slug: space, order: "top" },
    { slug: space, roots_only: "true" },
    { slug: space, order: "oldest", cursor: "latest", wait: 1 },
  ],
  "spaces.claim": ({ space }) => [{ slug: space }, { slug: space, wait: 1 }],
  "spaces.search": ({ space }) =>
    [SECRET, `"${SECRET} in"`, `-${SECRET}`, "the"].map((q) => ({ slug: space, q })),
  "sent.list": ({ space }) => [{ to: `#${space}` }],
  "spaces.removeWire": ({ space, wire }, { slug }) => [
    { slug: space, id: wire },
    { slug: `room-of-${slug}`, id: wire },
  ],
  "operator.removeWire": ({ wire }) => [{ id: wire }],
  "operator.getWire": (names) => wireNames(names).map((id) => ({ id })),
  "signIns.end": ({ signIn }) => [{ id: signIn }],
  "approvals.get": ({ approval }) => [{ id: approval }],
  "approvals.answer": ({ approval }) => ["approved", "rejected"].map((status) => ({ id: approval, status })),
};

function wireNames({ wire, reply, held }: Names): string[] {
  return [wire, reply, held].flatMap((id) => [id, `${daemon.base}/wires/${id}`]);
}

/**
 * Operations whose input names only what everyone may know: handles, schemas, and whether a slug is taken.
 */
const PUBLIC_NAMES: readonly OperationId[] = [
  // These answer 403 for a key, connection or handle of another account.
  ...([
    "keys.issue",
    "keys.revoke",
    "connections.revoke",
    "handles.issueToken",
    "handles.revokeToken",
  ] as const),
  ...([
    "contacts.remove",
    "blocks.add",
    "blocks.remove",
    "knocks.send",
    "schemas.get",
    "schemas.register",
  ] as const),
  ...([
    "handles.retire",
    "handles.inbox",
    "handles.activity",
    "egress.get",
    "egress.update",
    "operator.setSuspended",
    "operator.getHandle",
    "approvals.list",
    "audit.list",
  ] as const),
  ...(["spaces.create", "handles.create"] as const),
];

beforeAll(async () => {
  await createSpace(alice, "vault", {
    visibility: "private",
    description: SECRET,
    tags: [SECRET],
    root_rule: { allow_text: true, votable: true },
  });
  const members = ["bob", "former"].map((handle) => ({ handle, role: "poster" }));
  await expectOk(alice.put("/spaces/vault", { members }));
  const wire = await sendWire(former, "#vault", {
    text: `${SECRET} in the vault`,
    payload: { [SECRET]: SECRET },
  });
  const reply = await sendWire(alice, "#vault", { text: `${SECRET} again`, reply_to: wire.id });
  await expectOk(alice.put("/spaces/vault", { members: [{ handle: "former", role: "remove" }] }));
  directWire = (await sendWire(alice, "bob", { text: SECRET })).id;
  await expectOk(alice.put("/profile", { bio: SECRET, display_name: SECRET, tags: [SECRET] }));
  await expectOk(alice.put("/blocks/mallory"));
  await setEgressPolicy(alice, { mode: "approval", allow: [`@${SECRET}`] });
  const held = await sendHeldWire(alice, "eve", { text: SECRET });
  const approval = await findApproval(alice, held);
  const knock = await sendKnock(bob, "alice", SECRET);
  for (const { slug, post } of Object.values(attackers))
    await createSpace({ post } as AgentClient, `room-of-${slug}`);
  hidden = {
    ...{ space: "vault", wire: wire.id, reply: reply.id, held: held.id, knock },
    ...{ key: alice.keyId, handleId: alice.id, approval: approval.id },
    signIn: await addSignIn(daemon, "alice"),
  };
});

/** Replaces the names in a response, so that responses about different resources can be compared. */
function withoutNames(response: unknown, names: Names): string {
  return Object.entries(names).reduce(
    (text, [field, name]) => text.replaceAll(name as string, `<${field}>`),
    JSON.stringify(response),
  );
}

/** Calls an operation over REST, and over MCP if it has a tool. */
async function callEverywhere(agent: AgentClient, operation: Operation, input: Record<string, unknown>) {
  const client = operation.auth === "token" ? { ...agent, ...agent.owner } : agent;
  const { status, body } = await callOverRest(client, operation, input);
  const tool = operation.auth === "key" ? await callOverMcp(daemon, agent, operation, input) : undefined;
  return { status, body, tool };
}

/** Returns what the owner, a member and the recipient of the hidden resources see. */
async function snapshot(): Promise<unknown> {
  const paths = [
    "/spaces/vault",
    "/spaces/vault/members",
    "/spaces/vault/wires",
    `/threads/${hidden.wire}`,
    "/knocks",
    "/profile",
    `/wires/${hidden.held}`,
  ];
  const own = await Promise.all(paths.map((path) => expectOk(alice.get(path))));
  const human = await Promise.all(
    ["/keys", "/sign-ins", "/approvals", "/handles/alice/egress"].map((path) =>
      expectOk(alice.owner.get(path)),
    ),
  );
  for (const key of human[0].keys) delete key.last_used_at;
  return [own, human, await expectOk(bob.get("/inbox")), await expectOk(eve.get("/inbox"))];
}

describe.each(Object.keys(attackers) as Attacker[])("%s", (name) => {
  const attacker = attackers[name];

  // [D5-private-wire] [S7-not-found] [D9-held-unseen]
  it.each(Object.keys(ATTACKS) as OperationId[])(
    "gets the same response from %s for a hidden and a missing resource, on REST and MCP",
    async (id) => {
      const operation = operations.find((one) => one.id === id)!;
      const inputs = ATTACKS[id]!;
      const twins = inputs(absent, attacker);
      for (const [n, input] of inputs(hidden, attacker).entries()) {
        const real = await callEverywhere(attacker, operation, input);
        const twin = await callEverywhere(attacker, operation, twins[n]!);
        expect({ input, status: real.status }).toEqual({
          input,
          status: expect.toSatisfy((status) => status >= 400 && status < 500),
        });
        expect(withoutNames(real, hidden)).toBe(withoutNames(twin, absent));
      }
    },
  );

  // [S4.2-keys-issue] [S4.2-keys-revoke]
  it("can neither issue nor revoke a key of another account", async () => {
    await expectRefused(attacker.owner.post("/keys", { handle_id: hidden.handleId }), "FORBIDDEN");
    await expectRefused(attacker.owner.delete(`/keys/${hidden.key}`), "FORBIDDEN");
  });

  // [D5-dm-of-others]
  it("cannot read the DM of others, by any operation", async () => {
    for (const id of [
      "wires.get",
      "wires.delete",
      "wires.vote",
      "wires.unvote",
      "wires.claim",
      "wires.unclaim",
      "threads.get",
      "operator.removeWire",
      "operator.getWire",
    ]) {
      const operation = operations.find((one) => one.id === id)!;
      const { status, body, tool } = await callEverywhere(attacker, operation, { id: directWire });
      expect({ id, status }).toEqual({
        id,
        status: expect.toSatisfy((code) => code === 403 || code === 404),
      });
      expect(JSON.stringify({ body, tool })).not.toContain(SECRET);
    }
    const reply = await callEverywhere(attacker, operations.find(({ id }) => id === "wires.send")!, {
      ...{ to: attacker.slug, text: "x", reply_to: directWire },
    });
    expect(reply.status).toBe(404);
  });

  // [S4.1-search-listed] [D8-contacts] [D9-export]
  it("finds nothing hidden in any list, export or search", async () => {
    for (const operation of operations) {
      const required = Object.entries(operation.fields).filter(([, field]) => field.required);
      const searches = operation.id === "switchboard.search" ? ["handles", "spaces", "schemas"] : [];
      const inputs = [
        ...searches.flatMap((type) => [
          { type },
          { type, q: SECRET },
          { type, tags: SECRET },
          { type, q: "vault" },
          { type, q: "alice" },
        ]),
        ...(operation.method === "GET" && required.length === 0 ? [{}] : []),
      ];
      if (operation.stream) continue;
      for (const input of inputs) {
        const { status, body, tool } = await callEverywhere(attacker, operation, input);
        const isForOperators = operation.path.startsWith("/operator/");
        expect({ id: operation.id, status }).toEqual({
          id: operation.id,
          status: isForOperators ? 403 : 200,
        });
        const text = JSON.stringify({ body, tool });
        expect(text).not.toContain(SECRET);
        for (const part of Object.values(hidden)) {
          // Everyone may see the id of a handle. The former member may find the wire that it sent.
          if (part !== hidden.handleId) expect(text).not.toContain(part);
        }
      }
    }
    const response = await fetch(`${daemon.base}/export`, {
      headers: { authorization: `Bearer ${await tokenOf(attacker)}` },
    });
    const lines = (await response.text()).split("\n").filter((line) => line.includes(SECRET));
    // The export contains what the account itself has sent.
    expect(lines.filter((line) => JSON.parse(line).sender !== attacker.slug)).toEqual([]);
  });
});

function tokenOf({ slug }: AgentClient): Promise<string> {
  return daemon.issuer.token({ claims: { sub: slug, email: `${slug}@example.com` } });
}

describe("all attacks together", () => {
  // [S7-not-found]
  it("change nothing that the owner, a member or a recipient sees", async () => {
    await readInboxToEnd(eve);
    const before = await snapshot();
    for (const attacker of Object.values(attackers)) {
      for (const [id, inputs] of Object.entries(ATTACKS)) {
        const operation = operations.find((one) => one.id === id)!;
        for (const input of inputs(hidden, attacker)) await callEverywhere(attacker, operation, input);
      }
    }
    await readInboxToEnd(eve);
    expect(await snapshot()).toEqual(before);
  });

  // [S7-not-found]
  it("include every operation that names a resource", () => {
    const naming = operations.filter(({ fields }) =>
      Object.keys(fields).some((name) =>
        /^(id|slug|ref|to|reply_to|handle|handle_id|subject|transfer_owner)$/.test(name),
      ),
    );
    const covered = new Set<string>([...Object.keys(ATTACKS), ...PUBLIC_NAMES]);
    expect(naming.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });
});

describe("a public resource that becomes hidden", () => {
  const found = async (reader: AgentClient, path: string): Promise<Body[]> => expectOk(reader.get(path));

  // [S4.1-search-listed] [D5-search-tombstones]
  it("leaves every search at once: a handle, a removed wire and its payload", async () => {
    const shy = await daemon.createAgent("shy", {
      discoverable: true,
      bio: "quokka breeder",
      tags: ["quokka"],
    });
    const queries = [
      "/search?type=handles&q=quokka",
      "/search?type=handles&tags=quokka",
      "/search?type=handles&q=shy",
    ];
    for (const query of queries) expect(await found(eve, query)).toHaveLength(1);
    await expectOk(shy.put("/profile", { discoverable: false }));
    for (const query of queries) expect(await found(eve, query)).toEqual([]);

    const wire = await sendWire(eve, "#room-of-eve", {
      text: "an axolotl in the pond",
      payload: ["axolotl of the pond"],
    });
    const terms = [
      "axolotl",
      '"axolotl in the pond"',
      '"axolotl of the pond"',
      "axolotl or nothing",
      "pond -heron",
      '-"heron of the pond" axolotl',
    ];
    const matches = async (q: string) =>
      (await expectOk(mallory.get(`/spaces/room-of-eve/search?q=${encodeURIComponent(q)}`))).wires.length;
    for (const q of terms) expect({ q, found: await matches(q) }).toEqual({ q, found: 1 });
    await expectOk(eve.delete(`/wires/${wire.id}`));
    for (const q of [...terms, "-nothing"]) expect({ q, found: await matches(q) }).toEqual({ q, found: 0 });
  });

  // [S4.1-wire-search-one]
  it("cannot be reached by words that name another space in the index", async () => {
    await sendWire(bob, "#vault", { text: "okapi" });
    for (let pk = 0; pk < 20; pk++) {
      for (const q of [
        `${pk}:okapi`,
        `"${pk}:okapi"`,
        `"x" OR "${pk}:okapi"`,
        `okapi* OR terms:"${pk}:okapi"`,
        `-${pk}:nothing`,
      ]) {
        const { wires } = await expectOk(
          mallory.get(`/spaces/room-of-mallory/search?q=${encodeURIComponent(q)}`),
        );
        expect({ q, wires }).toEqual({ q, wires: [] });
      }
    }
    for (const q of ["okapi", "vault", 'okapi" OR "handle:alice', "space:vault"])
      for (const type of ["handles", "spaces", "schemas"])
        expect(await found(mallory, `/search?type=${type}&q=${encodeURIComponent(q)}`)).toEqual([]);
  });
});
