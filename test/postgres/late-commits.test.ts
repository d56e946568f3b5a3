/**
 * Tests of the sequence numbers that cursors are based on. A transaction that gets a number holds a lock
 * until it commits, so no later number is visible before it. Each test stops a transaction before its commit
 * while another daemon continues.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Post } from "../../src/domain/posting.js";
import { addApprovals } from "../../src/store/approvals/approvals.js";
import { pendingApprovalPage } from "../../src/store/approvals/list.js";
import type { Engine, Transaction } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { RoundTrip } from "../../src/store/engine/selects.js";
import { appendToInbox, readInboxPage } from "../../src/store/inbox/inbox.js";
import { loadPostFacts } from "../../src/store/posting/facts.js";
import { insertWires, type NewWire } from "../../src/store/posting/insert.js";
import { RetentionFloors } from "../../src/store/retention/floors.js";
import { createDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let slow: PostgresEngine;
let fast: PostgresEngine;

const slugOf = (pk: number) => `handle-${pk}`;

beforeAll(async () => {
  url = await createDatabase();
  slow = await PostgresEngine.open(url);
  fast = await PostgresEngine.open(url);
  await fast.write(async (tx) => {
    await tx.run(
      "INSERT INTO accounts (pk, id, issuer, subject, email, created_at) VALUES (1, 'a', 'i', 's', 'e', 0)",
    );
    for (const pk of [1, 2, 3, 4, 5]) {
      await tx.run(
        `INSERT INTO handles (pk, id, slug, account, tags, discoverable, contact_policy, inbox_rule, created_at)
         VALUES (?, ?, ?, 1, '[]', 0, 'open', '{}', 0)`,
        [pk, `id-${pk}`, `handle-${pk}`],
      );
    }
    await tx.run(
      `INSERT INTO spaces (pk, id, slug, owner, creator, creator_account, visibility, posting_rights, root_rule, reply_rule,
         allow_wire_reply_rules, tags, created_at)
       VALUES (1, 's', 'space', 1, 1, 1, 'public', 'anyone', '{}', '{}', 0, '[]', 0)`,
    );
  });
});
afterAll(async () => {
  await Promise.all([slow.close(), fast.close()]);
  await dropDatabase(url);
});

/** Runs `work` in a transaction that commits only when the test releases it. */
function startHeldTransaction(engine: Engine, work: (tx: Transaction) => Promise<void>) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let signalReady = () => {};
  const ready = new Promise<void>((resolve) => {
    signalReady = resolve;
  });
  const done = engine.write(async (tx) => {
    await work(tx);
    signalReady();
    await gate;
  });
  return { ready, letGo: release, done };
}

let wires = 0;

/** Stores a wire as the service does: reads the facts under locks, then inserts. */
async function post(
  tx: Transaction,
  sender: number,
  to: { recipient: number } | { space: number },
): Promise<void> {
  const isDm = "recipient" in to;
  const message: Post = {
    sender: { pk: sender, account: { pk: 1 }, isHuman: false },
    target: isDm ? `@${slugOf(to.recipient)}` : "#space",
    toHandle: isDm ? slugOf(to.recipient) : null,
    toSpace: isDm ? null : "space",
    text: "text",
    payload: null,
    replyTo: null,
    replyRule: null,
    claim: null,
    mentions: [],
    subjects: [],
  };
  const at = Date.now();
  await tx.lock("handles", "slug", isDm ? [slugOf(sender), message.toHandle!] : [slugOf(sender)]);
  await tx.lock("spaces", "slug", isDm ? [] : [message.toSpace!]);
  const floors = new RetentionFloors(fast, null);
  const [facts] = await loadPostFacts(new RoundTrip(tx), [message], floors, at);
  const wire: NewWire = {
    id: `wire-${wires++}`,
    sender,
    notices: [],
    sender_no: facts!.log.last + 1,
    recipient: isDm ? to.recipient : null,
    space: isDm ? null : to.space,
    thread: null,
    reply_to: null,
    parent_votable: null,
    reply_rule: null,
    created_at: at,
    doc: "{}",
    terms: "text",
    inbox_seq: facts!.target?.kind === "handle" ? facts!.target.inboxHead + 1 : null,
  };
  await insertWires(tx, [wire]);
}

const isSettled = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 300))]);
const inboxOf = (pk: number, after: number) =>
  readInboxPage(fast, 100, {
    handle: pk,
    after,
    floors: { general: 0, byDays: new Map() },
    at: Date.now(),
  });
const pksIn = async (where: string) =>
  (await fast.reader.all<{ pk: number }>(`SELECT pk FROM wires WHERE ${where} ORDER BY pk`)).map(
    ({ pk }) => pk,
  );

describe("before a transaction has committed", () => {
  // [D5-nothing-skipped]
  it("no wire gets a later number in the same inbox", async () => {
    const late = startHeldTransaction(slow, (tx) => post(tx, 1, { recipient: 3 }));
    await late.ready;
    const next = fast.write((tx) => post(tx, 2, { recipient: 3 }));
    const other = fast.write((tx) => appendToInbox(tx, 3, "wire", 1));
    expect(await isSettled(Promise.race([next, other]))).toBe(false);
    expect((await inboxOf(3, 0)).to).toBe(0);
    late.letGo();
    await Promise.all([late.done, next, other]);
    expect((await inboxOf(3, 0)).to).toBe(3);
  });

  it("other inboxes get new wires", async () => {
    const late = startHeldTransaction(slow, (tx) => post(tx, 1, { recipient: 3 }));
    await late.ready;
    await fast.write((tx) => post(tx, 2, { recipient: 4 }));
    expect((await inboxOf(4, 0)).to).toBe(1);
    late.letGo();
    await late.done;
  });

  // [D5-nothing-skipped]
  it("no wire gets a later number in the same space, so that feed and thread skip none", async () => {
    const late = startHeldTransaction(slow, (tx) => post(tx, 1, { space: 1 }));
    await late.ready;
    const next = fast.write((tx) => post(tx, 2, { space: 1 }));
    expect(await isSettled(next)).toBe(false);
    const before = await pksIn("space = 1");
    late.letGo();
    await Promise.all([late.done, next]);
    const after = await pksIn("space = 1");
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 2);
  });

  // [D5-nothing-skipped]
  it("neither participant of a direct message sees a later wire of the thread", async () => {
    const late = startHeldTransaction(slow, (tx) => post(tx, 1, { recipient: 5 }));
    await late.ready;
    const answer = fast.write((tx) => post(tx, 5, { recipient: 1 }));
    expect(await isSettled(answer)).toBe(false);
    late.letGo();
    await Promise.all([late.done, answer]);
    expect(await pksIn("5 IN (sender, recipient)")).toHaveLength(2);
  });

  // [D14-wait-approvals]
  it("no approval of the same account gets a later number, so that a cursor skips none", async () => {
    const hold = (sender: number, ref: string) => (tx: Transaction) =>
      addApprovals(tx, [
        {
          ...{ sender: { pk: sender, account: 1 }, kind: "wire", target: "#space", ref },
          ...{ doc: "{}", senderNo: 1, createdAt: Date.now() },
        },
      ]);
    const late = startHeldTransaction(slow, hold(1, "late"));
    await late.ready;
    const next = fast.write(hold(2, "next"));
    expect(await isSettled(next)).toBe(false);
    late.letGo();
    await Promise.all([late.done, next]);
    const query = { account: 1, handle: undefined, after: 0, limit: 10, at: Date.now() };
    const { items } = await pendingApprovalPage(fast.reader, query);
    expect(items.map(({ approval }) => approval?.ref)).toEqual(["late", "next"]);
  });

  // [D4-window]
  it("no other wire of the same sender is numbered, so that no limit is exceeded", async () => {
    const late = startHeldTransaction(slow, (tx) => post(tx, 4, { recipient: 3 }));
    await late.ready;
    const next = fast.write((tx) => post(tx, 4, { recipient: 5 }));
    expect(await isSettled(next)).toBe(false);
    late.letGo();
    await Promise.all([late.done, next]);
    const rows = await fast.reader.all<{ sender_no: number }>(
      "SELECT sender_no FROM wires WHERE sender = 4 ORDER BY pk",
    );
    expect(rows.map(({ sender_no }) => sender_no)).toEqual([1, 2]);
  });
});
