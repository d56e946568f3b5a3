/** Reads whose work must not grow with rows that they do not return. */
import { describe, expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { ENGINE, withDatabase } from "../harness/database.js";

const { daemon, alice, bob, carol } = await hostedFixture(["alice", "bob", "carol"]);

/** To read so many rows takes more than twenty times as long as a request. */
const ROWS = 60_000;
const NUMBERS =
  ENGINE === "sqlite"
    ? `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS}) `
    : `WITH numbers AS (SELECT n FROM generate_series(1, ${ROWS}) n) `;

/** Inserts {@link ROWS} rows. */
async function insertRows(
  table: string,
  columns: string,
  select: string,
  ...params: string[]
): Promise<void> {
  const sql = `${ENGINE === "sqlite" ? `${NUMBERS}INSERT INTO ${table} (${columns})` : `INSERT INTO ${table} (${columns}) ${NUMBERS}`} ${select}`;
  await withDatabase(daemon.dataDir, async (database) => {
    expect(await database.run(sql, ...params)).toBe(ROWS);
    if (ENGINE === "postgres") await database.run(`ANALYZE ${table}`);
  });
}

/** Returns the median time of a read in milliseconds. */
async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 21; n++) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other)[10]!;
}

/** Expects that one read takes about as long as another. */
async function expectAlike(read: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  await Promise.all([read(), other()]);
  expect(await timeOf(read)).toBeLessThan(8 * (await timeOf(other)));
}

/**
 * Alice starts a thread with Bob, who passes it on to Carol. Alice does not see the last wire, whose id is
 * `hidden`.
 */
async function passOn(): Promise<{ id: string; hidden: string }> {
  const { id } = await sendWire(alice, "bob", { text: "first" });
  const hidden = await sendWire(bob, "carol", { text: "hidden", reply_to: id });
  return { id, hidden: hidden.id };
}

describe("a thread of direct wires", () => {
  // [D14-thread-cost]
  it("costs its reader nothing for the wires that it cannot see", async () => {
    const [large, small] = [await passOn(), await passOn()];
    await insertRows(
      "wires",
      "id, sender, sender_no, recipient, thread, reply_to, created_at, doc",
      `SELECT concat('hidden-', n), w.sender, w.sender_no + n, w.recipient, w.thread, w.pk, w.created_at + n, w.doc
       FROM numbers JOIN wires w ON w.id = ?`,
      large.hidden,
    );
    const reads = [
      (id: string) => `/threads/${id}`,
      (id: string) => `/threads/${id}?limit=1`,
      (id: string) => `/threads/${id}?cursor=latest`,
    ];
    for (const path of reads) {
      const read = (id: string) => () => expectOk(alice.get(path(id)));
      await expectAlike(read(large.id), read(small.id));
    }
    const end = async (id: string) => (await expectOk(alice.get(`/threads/${id}?cursor=latest`))).next_cursor;
    const [largeEnd, smallEnd] = [await end(large.id), await end(small.id)];
    const follow = (id: string, cursor: string) => () =>
      expectOk(alice.get(`/threads/${id}?wait=0&cursor=${encodeURIComponent(cursor)}`));
    await expectAlike(follow(large.id, largeEnd), follow(small.id, smallEnd));
    expect((await expectOk(alice.get(`/threads/${large.id}`))).wires).toMatchObject([{ id: large.id }]);
  });

  // [D5-thread-pages]
  it("has a note to oneself once, and pages in the order of its wires", async () => {
    const { id } = await sendWire(alice, "bob", { text: "0" });
    await sendWire(bob, "alice", { text: "1", reply_to: id });
    const note = await sendWire(alice, "alice", { text: "2", reply_to: id });
    await sendWire(bob, "carol", { text: "hidden", reply_to: id });
    await sendWire(alice, "bob", { text: "3", reply_to: note.id });
    const texts: string[] = [];
    for (let query = "limit=1"; query !== ""; ) {
      const { wires, next_cursor }: Body = await expectOk(alice.get(`/threads/${id}?${query}`));
      texts.push(...wires.map(({ text_body }: Body) => text_body));
      query = next_cursor === null ? "" : `limit=1&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(texts).toEqual(["0", "1", "2", "3"]);
    expect((await expectOk(carol.get(`/threads/${id}`))).wires).toMatchObject([{ text_body: "hidden" }]);
  });
});

describe("GET /audit", () => {
  // [D9-audit-cost]
  it("costs nothing for the entries that its filters leave out", async () => {
    await insertRows(
      "audit",
      "id, account, handle, at, actor, action, subject, outcome, request_id",
      `SELECT concat('entry-', n), x.account, x.handle, x.at + n, x.actor, 'policy.changed', x.subject, x.outcome, NULL
       FROM numbers JOIN audit x ON x.action = 'handle.created' AND x.subject = ?`,
      "@alice",
    );
    const read = (query: string) => () => expectOk(alice.owner.get(`/audit?limit=20${query}`));
    const none = "&action=account.deleted";
    for (const query of [
      none,
      `&handle=alice${none}`,
      `${none}&since=2020-01-01T00:00:00Z`,
      `${none}&until=2100-01-01T00:00:00Z`,
      "&except=policy.changed",
    ])
      await expectAlike(read(query), read(""));
    expect((await read("&action=handle.created")()).entries).toHaveLength(1);
  });
});

describe("a list of one status", () => {
  it("costs nothing for the knocks of another status", async () => {
    await insertRows(
      "knocks",
      "id, sender, target, intro, status, created_at, decided_at",
      `SELECT concat('knock-', n), s.pk, t.pk, '', 'accepted', s.created_at, s.created_at
       FROM numbers JOIN handles s ON s.slug = 'bob' JOIN handles t ON t.slug = ?`,
      "alice",
    );
    for (const [client, direction] of [
      [alice, "received"],
      [bob, "sent"],
    ] as const) {
      const read = (query: string) => () =>
        expectOk(client.get(`/knocks?direction=${direction}&limit=20${query}`));
      for (const status of ["pending", "rejected", "expired"])
        await expectAlike(read(`&status=${status}`), read(""));
      expect((await read("&status=accepted")()).knocks).toHaveLength(20);
    }
  });

  it("costs nothing for the approvals of another status", async () => {
    await insertRows(
      "approvals",
      "id, account, handle, kind, target, ref, doc, status, created_at, decided_at",
      `SELECT concat('approval-', n), h.account, h.pk, 'wire', '@bob', concat('held-', n), w.doc, 'rejected', h.created_at, h.created_at
       FROM numbers JOIN handles h ON h.slug = 'alice' JOIN wires w ON w.id = ?`,
      (await sendWire(alice, "bob", { text: "held" })).id,
    );
    const read = (query: string) => () => expectOk(alice.owner.get(`/approvals?limit=20${query}`));
    for (const status of ["pending", "approved", "expired", "withdrawn"])
      for (const handle of ["", "&handle=alice"])
        await expectAlike(read(`${handle}&status=${status}`), read(""));
    expect((await read("&status=rejected")()).approvals).toHaveLength(20);
  });
});

it("the lists of keys and connections cost nothing for those that have ended", async () => {
  await insertRows(
    "api_keys",
    "id, handle, hash, prefix, created_at, revoked_at",
    `SELECT concat('key-', n), pk, concat('hash-', n), 'wk_', created_at, created_at FROM numbers JOIN handles ON slug = ?`,
    "alice",
  );
  await insertRows(
    "connections",
    "id, handle, grant_id, client_id, client_name, created_at, issued_at, ended_at",
    `SELECT concat('connection-', n), pk, concat('grant-', n), 'x', 'x', created_at, created_at, created_at
     FROM numbers JOIN handles ON slug = ?`,
    "alice",
  );
  for (const path of ["/keys?limit=1", "/connections?limit=1"])
    await expectAlike(
      () => expectOk(alice.owner.get(path)),
      () => expectOk(bob.owner.get(path)),
    );
});

describe("a feed of open wires", () => {
  /**
   * Creates a space with {@link ROWS} wires after the one whose id it returns. Those from number `from` (0 is
   * the first wire) to `to` are finished.
   */
  async function newQueue(slug: string, from: number, to: number): Promise<string> {
    await createSpace(alice, slug, { root_rule: { allow_text: true, claimable: true } });
    const { id } = await sendWire(alice, `#${slug}`, { text: "the first job" });
    await insertRows(
      "wires",
      "id, sender, sender_no, space, thread, created_at, doc",
      `SELECT concat('${slug}-', n), w.sender, w.sender_no + n, w.space, w.thread, w.created_at, w.doc
       FROM numbers JOIN wires w ON w.id = ?`,
      id,
    );
    const claims = await withDatabase(daemon.dataDir, (database) =>
      database.run(
        `INSERT INTO claims (wire, space, attempt, holder, until, done)
         SELECT pk, space, 1, sender, 9007199254740991, 1 FROM wires
         WHERE space = (SELECT space FROM wires WHERE id = ?) ORDER BY pk LIMIT ${to - from + 1} OFFSET ${from}`,
        id,
      ),
    );
    expect(claims).toBe(to - from + 1);
    return id;
  }

  // [D19-claim-state]
  it("ends its page after 10,000 wires, and its cursor leads on", async () => {
    const first = await newQueue("jobs", 1, ROWS);
    const last = await sendWire(alice, "#jobs", { text: "the last job" });
    for (const order of ["oldest", "newest", "top"]) {
      const pages: string[][] = [];
      const path = `/spaces/jobs/wires?claim_state=open&order=${order}`;
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page: Body = await expectOk(
          alice.get(cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`),
        );
        pages.push(page.wires.map(({ id }: Body) => id));
        cursor = page.next_cursor;
      }
      const open = order === "oldest" ? [first, last.id] : [last.id, first];
      expect(pages.flat()).toEqual(open);
      expect(pages[0]).toEqual([open[0]]);
      expect(pages).toHaveLength(Math.ceil((ROWS + 2) / 10_000));
    }
  });

  // [D19-claim-state]
  it("begins with the oldest open wires, however many finished ones are before them", async () => {
    await newQueue("long-queue", 0, ROWS / 2);
    const path = "/spaces/long-queue/wires?claim_state=open&order=oldest&limit=50";
    const { wires, next_cursor } = await expectOk(alice.get(path));
    expect(wires).toHaveLength(50);
    const next = await expectOk(alice.get(`${path}&cursor=${encodeURIComponent(next_cursor)}`));
    expect(next.wires).toHaveLength(50);
  });
});
