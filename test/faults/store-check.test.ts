import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { brokenInvariants } from "../../faults/check/invariants/index.js";
import { INVARIANTS } from "../../faults/check/invariants/service.js";
import { checkSession } from "../../src/store/check.js";
import type { Session } from "../../src/store/engine/engine.js";
import { withReadOnlyTransaction } from "../../src/store/engine/postgres/locked-read.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import {
  createSpace,
  expectRefused,
  makeContacts,
  registerSchema,
  schemaRequiring,
  sendWire,
} from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import type { AgentClient } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { type Database, databaseFlags, ENGINE, withDatabase } from "../harness/database.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { runInProcess } from "../harness/in-process.js";

const { daemon, alice, bob, carol } = await hostedFixture(["alice", "bob", "carol"]);

async function check(...flags: string[]) {
  const database = await databaseFlags(daemon.dataDir, []);
  return runInProcess(["store", "check", ...database, ...flags], {
    env: { WIREROOM_DATA_DIR: daemon.dataDir },
  });
}

beforeAll(async () => {
  await makeContacts(alice, bob);
  await bob.post("/knocks", { handle: "carol", intro: "hi" });
  const quote = schemaRequiring({ price: "number" });
  await registerSchema(alice, "quote", quote);
  await registerSchema(alice, "quote", { ...quote, title: "Quote" });
  await createSpace(alice, "ops", { root_rule: { allow_text: true, votable: true, claimable: true } });
  const root = await sendWire(alice, "#ops", { text: "the disk is full" });
  await sendWire(alice, "#ops", { text: "cleaning it", reply_to: root.id });
  await alice.put(`/wires/${root.id}/vote`);
  await alice.put(`/wires/${root.id}/claim`, {});
  const removed = await sendWire(alice, "#ops", { text: "oops" });
  await alice.delete(`/wires/${removed.id}`);
  for (const text of ["one", "two", "three"]) await sendWire(alice, "bob", { text });
  const gone = await sendWire(alice, "bob", { text: "gone" });
  await alice.delete(`/wires/${gone.id}`);
  const { next_cursor } = (await bob.get("/inbox")).body;
  await bob.get(`/inbox?cursor=${next_cursor}`);
  await setEgressPolicy(carol, { mode: "approval", allow: ["@bob"], deny: ["@alice"] });
  const blocked = carol.post("/wires", { to: "alice", text: "no" }, { "idempotency-key": "blocked" });
  await expectRefused(blocked, "EGRESS_BLOCKED");
  await decideApproval(carol, await sendHeldWire(carol, "#ops", { text: "after all" }));
  await sendHeldWire(carol, "#ops", { text: "not answered" });
  await addConnection(daemon, "bob");
  await retired(await daemon.createAgent("dave"));
});

async function retired(agent: AgentClient): Promise<void> {
  expect((await agent.owner.delete(`/handles/${agent.slug}`)).status).toBe(200);
}

const ofHandle = (slug: string) => `(SELECT pk FROM handles WHERE slug = '${slug}')`;
const anyWire = (condition: string) => `pk = (SELECT max(pk) FROM wires WHERE ${condition})`;
const SPACE_WIRE = anyWire("space IS NOT NULL AND removed_at IS NULL AND reply_to IS NULL");
const DM = anyWire("recipient IS NOT NULL AND removed_at IS NULL");
const REMOVED = anyWire("removed_at IS NOT NULL");

/** Statements that break invariants, and the names of these invariants. */
interface Damage {
  names: string[];
  sql: string | string[];
}

const set = (names: string[], table: string, column: string, to: string, where: string): Damage => ({
  names,
  sql: `UPDATE ${table} SET ${column} = ${to} WHERE ${where}`,
});
const COUNTERS = ["inbox-numbers", "checkpoints", "vote-counts", "claims", "cursor-secret"];
const TERMS = ENGINE === "sqlite" ? "'x'" : "ARRAY['x']";

const DAMAGES: Record<string, Damage> = {
  "a slug in upper case": set(["slugs", "switchboard"], "spaces", "slug", "'OPS'", "slug = 'ops'"),
  "an unknown contact policy": set(["settings"], "handles", "contact_policy", "'friends'", "slug = 'bob'"),
  "a space of unknown visibility": set(
    ["settings", "switchboard"],
    "spaces",
    "visibility",
    "'secret'",
    "slug = 'ops'",
  ),
  "a key in plaintext": set(["keys"], "api_keys", "hash", "'wr_secret'", `handle = ${ofHandle("bob")}`),
  "a password in plaintext": {
    names: ["passwords"],
    sql: "INSERT INTO identity_users (id, email, password_hash, created_at) VALUES ('u', 'a@example.com', 'secret', 1)",
  },
  "an access token in plaintext": set(["access-tokens"], "access_tokens", "hash", "'wt_secret'", "pk > 0"),
  "an access token of another handle": set(
    ["access-tokens"],
    "access_tokens",
    "handle",
    ofHandle("carol"),
    "pk > 0",
  ),
  "a connection of a retired handle": set(
    ["access-tokens", "retired-handles"],
    "connections",
    "handle",
    ofHandle("dave"),
    "pk > 0",
  ),
  "a valid key of a retired handle": set(
    ["retired-handles"],
    "api_keys",
    "revoked_at",
    "NULL",
    `handle = ${ofHandle("dave")}`,
  ),
  "a handle of a deleted account": set(["deleted-accounts"], "accounts", "deleted_at", "1", "pk > 0"),
  "an audit entry of another account": {
    names: ["audit"],
    sql: `INSERT INTO audit (id, account, handle, at, actor, action, subject, outcome)
      SELECT 'x', a.pk, h.pk, 1, 'x', 'x', 'x', 'ok' FROM handles h, accounts a WHERE h.slug = 'bob' AND a.pk <> h.account LIMIT 1`,
  },
  "an unknown egress mode": set(["egress"], "egress_policies", "mode", "'closed'", "mode = 'approval'"),
  "an egress policy that neither allows nor forbids publishing": set(
    ["egress"],
    "egress_policies",
    "publish",
    "2",
    "mode = 'approval'",
  ),
  "a gap in an inbox": set(
    ["inbox-numbers"],
    "inbox",
    "seq",
    "99",
    `handle = ${ofHandle("bob")} AND kind = 3`,
  ),
  "an inbox in reverse order": {
    // The last wire before the checkpoint is then not the newest one.
    names: ["inbox-order", "receipts"],
    sql: [
      `UPDATE inbox SET seq = -seq WHERE handle = ${ofHandle("bob")}`,
      `UPDATE inbox SET seq = seq + 7 WHERE handle = ${ofHandle("bob")}`,
    ],
  },
  "an item of unknown kind": set(
    ["inbox-items"],
    "inbox",
    "kind",
    "9",
    `handle = ${ofHandle("bob")} AND kind = 3`,
  ),
  "a knock that is in no inbox": {
    names: ["deliveries"],
    sql: `INSERT INTO knocks (id, sender, target, intro, status, created_at)
      VALUES ('lost', ${ofHandle("bob")}, ${ofHandle("alice")}, '', 'pending', 1)`,
  },
  "a message that is in its inbox twice": {
    names: ["inbox-order", "deliveries"],
    sql: `INSERT INTO inbox (handle, seq, kind, ref) SELECT handle, 7, 1, min(ref) FROM inbox
      WHERE handle = ${ofHandle("bob")} AND kind = 1 GROUP BY handle`,
  },
  "a lost message and one that is in its inbox twice": {
    names: ["inbox-order", "deliveries"],
    sql: `UPDATE inbox SET ref = (SELECT min(ref) FROM inbox WHERE handle = ${ofHandle("bob")} AND kind = 1)
      WHERE handle = ${ofHandle("bob")} AND seq = 3`,
  },
  "two knocks in reverse order": {
    names: ["inbox-order"],
    sql: [
      ...[1, 2].map(
        (n) => `INSERT INTO knocks (id, sender, target, intro, status, created_at)
          VALUES ('knock ${n}', ${ofHandle("bob")}, ${ofHandle("dave")}, '', 'expired', 1)`,
      ),
      ...[1, 2].map(
        (n) => `INSERT INTO inbox (handle, seq, kind, ref)
          SELECT ${ofHandle("dave")}, ${3 - n}, 2, pk FROM knocks WHERE id = 'knock ${n}'`,
      ),
    ],
  },
  "a checkpoint after the end": set(
    ["checkpoints"],
    "checkpoints",
    "seq",
    "999",
    `handle = ${ofHandle("bob")}`,
  ),
  "a receipt after its checkpoint": {
    names: ["receipts"],
    sql: `INSERT INTO receipts (handle, wire, at) VALUES (${ofHandle("bob")}, 99999, 1)`,
  },
  "a wire without a place": set(["wire-places"], "wires", "space", "NULL", SPACE_WIRE),
  "two wires with one number": set(["wire-numbers", "wire-times"], "wires", "sender_no", "2", DM),
  "a wire before its predecessor": set(["wire-times"], "wires", "created_at", "1", DM),
  "a reply in another thread": set(["threads"], "wires", "thread", "pk", anyWire("reply_to IS NOT NULL")),
  "a deleted wire that is there": {
    names: ["thread-roots"],
    sql: "INSERT INTO thread_roots (thread, id) SELECT min(pk), 'gone' FROM wires",
  },
  "a thread in two places": {
    names: ["thread-places", "shapes"],
    sql: `UPDATE wires SET thread = (SELECT min(pk) FROM wires WHERE recipient IS NOT NULL),
      reply_to = (SELECT min(pk) FROM wires WHERE recipient IS NOT NULL) WHERE ${SPACE_WIRE}`,
  },
  "a vote on a direct message": {
    names: ["votes"],
    sql: [
      `INSERT INTO votes (wire, handle) SELECT pk, recipient FROM wires WHERE ${DM}`,
      `UPDATE wires SET vote_count = 1 WHERE ${DM}`,
    ],
  },
  "a vote too many": set(["vote-counts"], "wires", "vote_count", "7", anyWire("vote_count = 1")),
  "a claim of a direct message": set(
    ["claims"],
    "claims",
    "wire",
    `(SELECT pk FROM wires WHERE ${DM})`,
    "done = 0",
  ),
  "a claim that never ends": set(["claims"], "claims", "until", "9007199254740991", "done = 0"),
  "a removal by nobody": set(["removals"], "wires", "removed_by", "NULL", REMOVED),
  "a wire that no search finds": {
    names: ["search-index"],
    sql: `DELETE FROM wires_fts WHERE rowid = (SELECT pk FROM wires WHERE ${SPACE_WIRE})`,
  },
  "a removed wire that a search finds": {
    names: ["search-index"],
    sql: `INSERT INTO wires_fts (rowid, terms) SELECT pk, ${TERMS} FROM wires WHERE ${REMOVED}`,
  },
  "a pending approval with a decision": set(
    ["approvals"],
    "approvals",
    "decided_at",
    "1",
    "status = 'pending'",
  ),
  "a rejected wire that was sent": set(
    ["approvals", "released-wires"],
    "approvals",
    "status",
    "'rejected'",
    "status = 'approved'",
  ),
  "an approval that names another wire": set(
    ["released-wires"],
    "approvals",
    "wire",
    "wire + 1",
    "status = 'approved'",
  ),
  "a rejected wire that its approval names": {
    names: ["released-wires"],
    sql: `UPDATE approvals SET wire = (SELECT max(pk) FROM wires) WHERE pk = (
      SELECT max(pk) FROM approvals WHERE kind = 'wire' AND doc IS NOT NULL)`,
  },
  "an accepted knock without a decision": set(
    ["knocks"],
    "knocks",
    "decided_at",
    "NULL",
    "status = 'accepted'",
  ),
  "a contact in one direction": {
    names: ["contacts"],
    sql: `DELETE FROM contacts WHERE handle = ${ofHandle("bob")}`,
  },
  "a handle that blocks itself": {
    names: ["blocks"],
    sql: `INSERT INTO blocks (handle, other, since) VALUES (${ofHandle("bob")}, ${ofHandle("bob")}, 1)`,
  },
  "a block of another account": {
    names: ["blocks"],
    sql: `INSERT INTO blocks (handle, other, since, account) VALUES (${ofHandle("bob")}, ${ofHandle("carol")}, 1, 999)`,
  },
  "an erasure of a handle that is not retired": {
    names: ["erasures"],
    sql: `INSERT INTO erasures (handle) VALUES (${ofHandle("bob")})`,
  },
  "a member that has left": {
    names: ["departures"],
    sql: "INSERT INTO departures (handle, space, left_at) SELECT handle, space, 1 FROM members",
  },
  "a closed space with a mod": {
    names: ["space-owners"],
    sql: "UPDATE members SET role = 'mod' WHERE role = 'owner'",
  },
  "a space with another owner": set(["space-owners"], "spaces", "owner", ofHandle("bob"), "slug = 'ops'"),
  "a member without a role": {
    names: ["members"],
    sql: `INSERT INTO members (space, handle, role, joined_at) SELECT pk, ${ofHandle("bob")}, 'guest', 1 FROM spaces`,
  },
  "a missing version": set(["schema-versions"], "schemas", "version", "5", "version = 1"),
  "a public space that is not listed": set(["switchboard"], "entities", "name", "'shop'", "kind = 'space'"),
  "an entry that no search finds": {
    names: ["switchboard-index"],
    sql: "DELETE FROM entities_fts WHERE rowid = (SELECT pk FROM entities WHERE kind = 'space')",
  },
  "no cursor secret": set(["cursor-secret"], "meta", "name", "'lost'", "name = 'cursor_secret'"),
  "a wire that is no JSON": set(["documents"], "wires", "doc", `'{"id":'`, DM),
  "a wire with the text of another": set(
    ["shapes"],
    "wires",
    "doc",
    `(SELECT doc FROM wires WHERE ${SPACE_WIRE})`,
    DM,
  ),
  "a removed wire with its text": set(
    ["shapes"],
    "wires",
    "doc",
    `replace(doc, '"text_body":null', '"text_body":"oops"')`,
    REMOVED,
  ),
  "a message that its text says is in a space": set(
    ["shapes"],
    "wires",
    "doc",
    `replace(doc, '"recipient_id":"', '"recipient_id":null,"was":"')`,
    DM,
  ),
  "a rule of another shape": set(["shapes"], "handles", "inbox_rule", `'{"allow_text":1}'`, "slug = 'bob'"),
  ...(ENGINE === "sqlite" && {
    "a reference to nothing": {
      names: ["references"],
      sql: ["PRAGMA defer_foreign_keys = ON", "UPDATE api_keys SET handle = 999"],
    },
    "an index without the rows of its table": {
      names: ["file"],
      sql: [
        "CREATE TEMP TABLE hidden AS SELECT * FROM main.sqlite_schema WHERE name = 'knocks_sent'",
        "PRAGMA writable_schema = ON",
        "DELETE FROM main.sqlite_schema WHERE name = 'knocks_sent'",
        "PRAGMA writable_schema = RESET",
        `UPDATE knocks SET sender = ${ofHandle("dave")} WHERE sender <> ${ofHandle("dave")}`,
        "PRAGMA writable_schema = ON",
        "INSERT INTO main.sqlite_schema SELECT * FROM hidden",
        "PRAGMA writable_schema = RESET",
      ],
    },
    "a damaged search index": { names: ["file"], sql: "DELETE FROM wires_fts_data WHERE id > 10" },
  }),
};

/**
 * Changes the database in a transaction, and rolls it back. Returns the names of the invariants that do not
 * hold in it, those of the fault campaign included.
 */
async function checkDamaged(statements: string[]): Promise<string[]> {
  const work = async (session: Session) => {
    for (const sql of statements) await session.run(sql);
    const { broken } = await checkSession(session, () => undefined);
    return [...broken, ...(await brokenInvariants(session))];
  };
  const broken = await inRolledBackTransaction(work);
  return broken.map(({ name }) => name).sort();
}

async function inRolledBackTransaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  if (ENGINE === "postgres") {
    const [, url] = await databaseFlags(daemon.dataDir, []);
    return withReadOnlyTransaction(url!, work);
  }
  const connection = await Connection.open(join(daemon.dataDir, "wireroom.db"));
  try {
    await connection.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
    return await work(connection);
  } finally {
    await connection.close();
  }
}

describe("wireroom store check", () => {
  // [C-store-check]
  it("finds nothing in a sound database, beside a running daemon", async () => {
    const { code, stdout, stderr } = await check();
    expect(stdout).toMatch(/^\S+ is sound: \d+ invariants hold\.\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  // [C-store-check]
  it("prints a line for each broken invariant, and exits with 1", async () => {
    const set = (votes: number) => (db: Database) =>
      db.run(`UPDATE wires SET vote_count = ${votes} WHERE vote_count > 0`);
    await withDatabase(daemon.dataDir, set(7));
    const { code, stdout, stderr } = await check();
    const { stdout: json } = await check("--json");
    await withDatabase(daemon.dataDir, set(1));
    expect(stdout).toMatch(
      /^vote-counts: 1 violation: [0-9a-f-]{36} \(the vote count of every wire is the number of its votes\)\n$/,
    );
    expect(code).toBe(1);
    expect(stderr).toContain("is damaged: vote-counts (UNHEALTHY)");
    expect(JSON.parse(json)).toMatchObject({
      checked: expect.any(Number),
      broken: [{ name: "vote-counts" }],
    });
  });
});

describe("damaged data", () => {
  const ofCampaign = new Set([...INVARIANTS.map(({ name }) => name), "shapes"]);

  for (const [title, { names, sql }] of Object.entries(DAMAGES)) {
    const finder = names.every((name) => ofCampaign.has(name))
      ? "the fault campaign finds"
      : "store check finds";
    // [C-store-check]
    it(`${finder} ${title}`, async () => {
      expect(await checkDamaged([sql].flat())).toEqual([...names].sort());
    });
  }

  it("has a test for each invariant", () => {
    const tested = new Set(Object.values(DAMAGES).flatMap(({ names }) => names));
    expect([...ofCampaign].filter((name) => !tested.has(name))).toEqual([]);
    // PostgreSQL itself guarantees the first two.
    const checked = [...(ENGINE === "sqlite" ? ["file", "references"] : []), ...COUNTERS, "documents"];
    expect(checked.filter((name) => !tested.has(name))).toEqual([]);
  });
});
