/**
 * What the numbers of cursors rest on: whoever takes one holds the lock until it is committed, so no later number can be
 * seen before it. A transaction is stopped right before its commit, while another daemon goes on.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Transaction } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { select } from "../../src/store/engine/sql.js";
import { appendToInbox, inboxPages } from "../../src/store/inbox/inbox.js";
import { usageFrom, usageQueries, WIRE_LIMITS } from "../../src/store/usage.js";
import { insertWires, type NewWire } from "../../src/store/wires/insert.js";
import { type PostQuery, postFacts, postQueries } from "../../src/store/wires/post-facts.js";
import { createDatabase, dropDatabase } from "../harness/postgres-server.js";

let url: string;
let slow: PostgresEngine;
let fast: PostgresEngine;

const handle = (pk: number) => ({ pk, slug: `handle-${pk}`, account: 1 });

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

/** Runs `work` in a transaction that commits only when it is let go. */
function held(engine: Engine, work: (tx: Transaction) => Promise<void>) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reached = () => {};
  const ready = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const done = engine.write(async (tx) => {
    await work(tx);
    reached();
    await gate;
  });
  return { ready, letGo, done };
}

let wires = 0;

/** As a post does it: facts under locks, then the wire. */
async function post(
  tx: Transaction,
  sender: number,
  to: { recipient: number } | { space: number },
): Promise<void> {
  const isDm = "recipient" in to;
  const query: PostQuery = {
    sender: handle(sender),
    target: isDm ? `@${handle(to.recipient).slug}` : "#space",
    toHandle: isDm ? handle(to.recipient).slug : null,
    toSpace: isDm ? null : "space",
    replyTo: null,
    subjects: [],
  };
  const at = Date.now();
  const caller = { pk: sender, account: { pk: 1 } };
  await tx.lock("handles", "slug", isDm ? [query.sender.slug, query.toHandle!] : [query.sender.slug]);
  await tx.lock("spaces", "slug", isDm ? [] : [query.toSpace!]);
  const rows = await select(tx, {
    ...usageQueries(WIRE_LIMITS, [caller], at),
    ...postQueries(tx, [query], at),
  });
  const [usage] = await usageFrom(tx, WIRE_LIMITS, [caller], rows, at);
  const { posts, nextPk } = await postFacts(tx, [query], rows, () => false);
  const [facts] = posts;
  const wire: NewWire = {
    id: `wire-${wires++}`,
    sender,
    senderNo: usage!.log!.last + 1,
    recipient: isDm ? to.recipient : null,
    space: isDm ? null : to.space,
    thread: null,
    replyTo: null,
    parentVotable: null,
    replyRule: null,
    countedAt: at,
    doc: "{}",
    searchText: "text",
    inboxSeq: facts!.target?.kind === "handle" ? facts!.target.inboxHead + 1 : null,
  };
  await insertWires(tx, [wire], nextPk);
}

const isSettled = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), 300))]);
const inboxOf = (pk: number, after: number) =>
  fast.readBatched(inboxPages, { handle: pk, after, limit: 100, quoted: false, at: Date.now() });
const pksIn = async (where: string) =>
  (await fast.reader.all<{ pk: number }>(`SELECT pk FROM wires WHERE ${where} ORDER BY pk`)).map(
    ({ pk }) => pk,
  );

describe("while a transaction has not committed", () => {
  it("nothing gets into an inbox behind what it appends [D5-nothing-skipped]", async () => {
    const late = held(slow, (tx) => post(tx, 1, { recipient: 3 }));
    await late.ready;
    const next = fast.write((tx) => post(tx, 2, { recipient: 3 }));
    const other = fast.write((tx) => appendToInbox(tx, 3, "wire", 1));
    expect(await isSettled(Promise.race([next, other]))).toBe(false);
    expect((await inboxOf(3, 0)).to).toBe(0);
    late.letGo();
    await Promise.all([late.done, next, other]);
    expect((await inboxOf(3, 0)).to).toBe(3);
  });

  it("other inboxes grow on", async () => {
    const late = held(slow, (tx) => post(tx, 1, { recipient: 3 }));
    await late.ready;
    await fast.write((tx) => post(tx, 2, { recipient: 4 }));
    expect((await inboxOf(4, 0)).to).toBe(1);
    late.letGo();
    await late.done;
  });

  it("nothing gets into a space behind what it posts, so no feed and no thread skips it [D5-nothing-skipped]", async () => {
    const late = held(slow, (tx) => post(tx, 1, { space: 1 }));
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

  it("neither side of a DM sees a later wire of the thread before it [D5-nothing-skipped]", async () => {
    const late = held(slow, (tx) => post(tx, 1, { recipient: 5 }));
    await late.ready;
    const answer = fast.write((tx) => post(tx, 5, { recipient: 1 }));
    expect(await isSettled(answer)).toBe(false);
    late.letGo();
    await Promise.all([late.done, answer]);
    expect(await pksIn("5 IN (sender, recipient)")).toHaveLength(2);
  });

  it("the same sender is numbered by nobody else, so no limit is passed [D4-window]", async () => {
    const late = held(slow, (tx) => post(tx, 4, { recipient: 3 }));
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
