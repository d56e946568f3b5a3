import { describe, expect, it } from "vitest";
import { databaseProblems } from "../../faults/check/database.js";
import {
  createSpace,
  DAY_MS,
  expectOk,
  expectRefused,
  NO_ITEMS,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import type { Body, Client } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { decideApproval, listApprovals, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { readAllPages } from "../harness/pagination.js";
import { slowDownDeletion } from "../harness/slow-deletion.js";

const RETAIN_DAYS = 10;
const { daemon, alice, bob } = await hostedFixture(["alice", "bob"], {
  args: [...NO_LIMITS, "--retain", String(RETAIN_DAYS)],
});

/** Makes all wires this much older, and waits until the daemon no longer uses what it found before. */
async function age(days: number): Promise<void> {
  // Wires are deleted a minute after they were hidden.
  const milliseconds = days * DAY_MS + 90_000;
  await withDatabase(daemon.dataDir, async (database) => {
    await database.run("UPDATE wires SET created_at = created_at - ?", milliseconds);
    await database.run(
      "UPDATE approvals SET created_at = created_at - ?, decided_at = decided_at - ?",
      milliseconds,
      milliseconds,
    );
  });
  await new Promise((resolve) => setTimeout(resolve, 260));
}

/** Starts the daemon again, and waits until it has deleted the wires that were hidden. */
async function restartAndDelete(): Promise<void> {
  await daemon.restart();
  await expect
    .poll(() => withDatabase(daemon.dataDir, (database) => database.all(EXPIRED)), { interval: 20 })
    .toEqual([]);
}
const EXPIRED = `SELECT w.pk FROM wires w LEFT JOIN spaces s ON s.pk = w.space
  WHERE w.created_at < ${Date.now()} - coalesce(s.retain_days, ${RETAIN_DAYS}) * ${DAY_MS} - 60000 LIMIT 1`;

const idsOf = (wires: readonly Body[]): string[] => wires.map(({ id }) => id);

/** Reads an inbox from a cursor to its end. */
async function inboxFrom(
  reader: Client,
  cursor: string,
  limit = 2,
): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let from = cursor; ; ) {
    const page = await expectOk(reader.get(`/inbox?limit=${limit}&cursor=${from}`));
    ids.push(...idsOf(page.wires));
    if (page.next_cursor === from) return { ids, cursor: from };
    from = page.next_cursor;
  }
}

interface Posted {
  id: string;
  thread: string;
  place: "dm" | "#short" | "#long";
  isReply: boolean;
  ageDays: number;
}

describe("retention", () => {
  const days = { dm: RETAIN_DAYS, "#short": 3, "#long": RETAIN_DAYS } as const;
  const posted: Posted[] = [];
  const isLeft = ({ place, ageDays }: Posted) => ageDays < days[place];
  const left = (place: Posted["place"]) =>
    idsOf(posted.filter((wire) => wire.place === place && isLeft(wire)));
  const random = randomNumbers(20_260_211);
  let inboxStart = "";

  async function post(): Promise<void> {
    const place = (["dm", "#short", "#long"] as const)[random(3)]!;
    const parents = posted.filter((wire) => wire.place === place && isLeft(wire));
    const parent = random(2) ? parents[random(parents.length)] : undefined;
    const sent = await sendWire(alice, place === "dm" ? "bob" : place, {
      text: "a word for the search",
      ...(parent && { reply_to: parent.id }),
    });
    expect(sent.thread_id).toBe(parent?.thread ?? sent.id);
    posted.push({ id: sent.id, thread: sent.thread_id, place, isReply: parent !== undefined, ageDays: 0 });
  }

  /** Compares every list with the wires that should be left. */
  async function verify(): Promise<void> {
    expect((await inboxFrom(bob, inboxStart)).ids).toEqual(left("dm"));
    for (const reader of [alice, bob]) {
      const found = await readAllPages(reader, "/wires/search?q=word", "wires", 50);
      expect(idsOf(found).sort()).toEqual(left("dm").sort());
    }
    for (const place of ["#short", "#long"] as const) {
      const path = `/spaces/${place.slice(1)}`;
      const newest = [...left(place)].reverse();
      expect(idsOf(await readAllPages(bob, `${path}/wires`, "wires", 3))).toEqual(newest);
      expect(idsOf((await expectOk(bob.get(`${path}/wires`))).wires)).toEqual(newest);
      expect(idsOf(await readAllPages(bob, `${path}/wires?order=oldest`, "wires", 3))).toEqual(left(place));
      expect(idsOf(await readAllPages(bob, `${path}/wires?order=top`, "wires", 3))).toEqual(newest);
      const found = await readAllPages(bob, `${path}/search?q=word`, "wires", 50);
      expect(idsOf(found).sort()).toEqual(left(place).sort());
    }
    expect(idsOf(await readAllPages(alice, "/sent", "wires", 3))).toEqual(
      idsOf(posted.filter(isLeft)).reverse(),
    );
    for (const thread of new Set(posted.map((wire) => wire.thread))) {
      const rest = posted.filter((wire) => wire.thread === thread && isLeft(wire));
      if (rest.length === 0) await expectRefused(bob.get(`/threads/${thread}`), "NOT_FOUND");
      else expect(idsOf(await readAllPages(bob, `/threads/${thread}`, "wires", 2))).toEqual(idsOf(rest));
    }
    for (const wire of posted.slice(-40)) {
      if (isLeft(wire)) expect((await readWire(bob, wire)).thread_id).toBe(wire.thread);
      else await expectRefused(bob.get(`/wires/${wire.id}`), "NOT_FOUND");
    }
  }

  // [D15-retain] [D15-retain-days] [D15-retain-lists] [D15-retain-cursors] [D5-search-messages-own]
  it("hides old wires from every list at once, deletes them, and skips none that is left", async () => {
    await createSpace(alice, "short");
    await createSpace(alice, "long");
    await expectOk(alice.put("/spaces/short", { retain_days: days["#short"] }));
    inboxStart = (await expectOk(bob.get("/inbox"))).next_cursor;
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 8; n++) await post();
      const some = 1 + random(4);
      await age(some);
      for (const wire of posted) wire.ageDays += some;
      await verify();
      if (round % 2) {
        await restartAndDelete();
        await verify();
      }
    }
    // The newest wires of all are deleted, too, and nothing is numbered again.
    await age(RETAIN_DAYS);
    for (const wire of posted) wire.ageDays += RETAIN_DAYS;
    await restartAndDelete();
    await verify();
    const { cursor } = await inboxFrom(bob, inboxStart);
    for (let n = 0; n < 8; n++) await post();
    await verify();
    expect((await inboxFrom(bob, cursor)).ids).toEqual(left("dm"));
  });
});

describe("a hidden wire", () => {
  // [D15-retain-single] [D15-retain-replies] [D15-retain-deleted] [D15-retain-cursors]
  it("cannot be read, voted on or replied to, and its replies stay", async () => {
    await createSpace(alice, "votes", { root_rule: { allow_text: true, votable: true, claimable: true } });
    const root = await sendWire(bob, "#votes");
    const { token } = await expectOk(alice.put(`/wires/${root.id}/claim`, {}));
    const message = await sendWire(alice, "bob");
    await expectOk(bob.put(`/wires/${root.id}/vote`));
    await age(RETAIN_DAYS - 1);
    const reply = await sendWire(alice, "#votes", { text: "one", reply_to: root.id });
    const answer = await sendWire(bob, "alice", { text: "two", reply_to: message.id });
    await age(1);
    const expectHidden = async () => {
      for (const [hidden, to, left] of [
        [root, "#votes", reply],
        [message, "bob", answer],
      ] as const) {
        await expectRefused(alice.get(`/wires/${hidden.id}`), "NOT_FOUND");
        await expectRefused(alice.put(`/wires/${hidden.id}/vote`), "NOT_FOUND");
        await expectRefused(alice.delete(`/wires/${hidden.id}`), "NOT_FOUND");
        await expectRefused(alice.post("/wires", { to, text: "late", reply_to: hidden.id }), "NOT_FOUND");
        for (const thread of [
          await expectOk(alice.get(`/threads/${hidden.id}`)),
          await expectOk(alice.owner.get(`/handles/alice/threads/${hidden.id}`)),
        ])
          expect(thread.wires).toMatchObject([{ id: left.id, reply_to: hidden.id, thread_id: hidden.id }]);
      }
    };
    await expectHidden();
    await expectRefused(alice.put(`/wires/${root.id}/claim`, { token }), "NOT_FOUND");
    await restartAndDelete();
    await expectHidden();
    expect(await expectOk(alice.post("/spaces/votes/claims", {}))).toEqual({ claims: [] });
    const next = await sendWire(bob, "#votes", { text: "three", reply_to: reply.id });
    expect(next.thread_id).toBe(root.id);
    expect(await tableCounts(root.id)).toEqual({ votes: 0, claims: 0, terms: 2 });
    await age(RETAIN_DAYS);
    await restartAndDelete();
    await expectRefused(alice.get(`/threads/${root.id}`), "NOT_FOUND");
  });

  // [D15-retain-held]
  it("of a held one is hidden with its approval, but not while it waits", async () => {
    const sender = await daemon.createAgent("held-sender");
    await setEgressPolicy(sender, { mode: "approval" });
    const sent = await sendHeldWire(sender, "bob");
    const rejected = await sendHeldWire(sender, "bob");
    const pending = await sendHeldWire(sender, "bob");
    await age(RETAIN_DAYS - 1);
    await decideApproval(sender, sent);
    await decideApproval(sender, rejected, { status: "rejected" });
    await age(1);
    // The wire was sent when it was approved.
    await readWire(bob, sent);
    await readWire(sender, pending);
    await expectRefused(sender.get(`/wires/${rejected.id}`), "NOT_FOUND");
    await expectRefused(sender.delete(`/wires/${rejected.id}`), "NOT_FOUND");
    const refs = async () => (await listApprovals(sender)).map(({ wire }) => wire.id);
    expect(await refs()).toEqual([pending.id, sent.id]);
    await age(RETAIN_DAYS);
    await restartAndDelete();
    // The pending one has expired.
    expect(await refs()).toEqual([]);
    expect((await expectOk(sender.get("/sent"))).wires).toEqual([]);
    // Its approval is the newest one, which stays without its text.
    await expect
      .poll(
        () =>
          withDatabase(daemon.dataDir, (db) =>
            db.all("SELECT kind FROM approvals WHERE doc LIKE '%may I?%'"),
          ),
        { timeout: 10_000 },
      )
      .toEqual([]);
  });

  // [D15-retain-held]
  it("of a held one is hidden only after it was decided, whether it is rejected or cannot be sent", async () => {
    const sender = await daemon.createAgent("late-sender");
    await setEgressPolicy(sender, { mode: "approval" });
    await createSpace(alice, "late-decisions");
    await expectOk(alice.put("/spaces/late-decisions", { retain_days: 1 }));
    const rejected = [await sendHeldWire(sender, "bob"), await sendHeldWire(sender, "#late-decisions")];
    const failing = await sendHeldWire(sender, "#late-decisions");
    await expectOk(alice.put("/spaces/late-decisions", { posting_rights: "mods" }));
    await age(RETAIN_DAYS);
    for (const held of rejected) {
      const approval = await decideApproval(sender, held, { status: "rejected" });
      expect(approval).toMatchObject({
        wire: { id: held.id, text_body: "may I?" },
        status: "rejected",
        error: null,
      });
      await expectRefused(sender.owner.get(`/approvals/${approval.id}`), "NOT_FOUND");
    }
    expect(await decideApproval(sender, failing)).toMatchObject({
      wire: { id: failing.id },
      error: { code: "POSTING_DENIED" },
    });
    expect(await listApprovals(sender)).toEqual([]);
    for (const { id } of [...rejected, failing]) await expectRefused(sender.get(`/wires/${id}`), "NOT_FOUND");
  });

  // [D15-retain-held]
  it("is no newer one than a held one whose sender's account was deleted", async () => {
    const sender = await daemon.createAgent("erased-sender");
    await setEgressPolicy(sender, { mode: "approval" });
    const held = [await sendHeldWire(sender, "bob"), await sendHeldWire(sender, "bob")] as const;
    const old = await sendWire(alice, "bob");
    await age(RETAIN_DAYS);
    await expectRefused(bob.get(`/wires/${old.id}`), "NOT_FOUND");
    await decideApproval(sender, held[0]);
    const recent = await sendWire(alice, "bob");
    await decideApproval(sender, held[1]);
    const email = "erased-sender@example.com";
    await expectOk(sender.owner.request("DELETE", "/accounts/me", { email }));
    await age(0);
    for (const wire of [...held, recent]) await readWire(bob, wire);
    await daemon.restart();
    const ids = () =>
      withDatabase(daemon.dataDir, (db) => db.all<{ id: string }>("SELECT id FROM wires ORDER BY pk"));
    await expect.poll(async () => idsOf(await ids())).not.toContain(old.id);
    expect(idsOf(await ids())).toEqual([held[0].id, recent.id, held[1].id]);
  });

  // [D15-retain-held]
  it("is hidden although the clock was ahead when it was approved", async () => {
    const sender = await daemon.createAgent("early-sender");
    await setEgressPolicy(sender, { mode: "approval" });
    const held = await sendHeldWire(sender, "bob");
    await decideApproval(sender, held);
    const ahead = `UPDATE approvals SET decided_at = decided_at + ${400 * DAY_MS} WHERE ref = '${held.id}'`;
    await daemon.restart(() => withDatabase(daemon.dataDir, (database) => database.run(ahead)));
    await readWire(bob, held);
    await age(RETAIN_DAYS);
    await expectRefused(bob.get(`/wires/${held.id}`), "NOT_FOUND");
  });

  // [D15-retain-lists]
  it("leaves no trace in a page of large wires: its notice of removal is hidden, and others appear once", async () => {
    const reader = await daemon.createAgent("large-reader");
    const removed = async (space: string) => {
      const wire = await sendWire(reader, `#${space}`);
      await expectOk(alice.delete(`/spaces/${space}/wires/${wire.id}`));
      return wire.id as string;
    };
    for (const slug of ["brief", "lasting"]) await createSpace(alice, slug);
    await expectOk(alice.put("/spaces/brief", { retain_days: 1 }));
    for (let n = 0; n < 2; n++) await removed("brief");
    await age(1);
    // More than 4 MiB, so that the page ends before the notice.
    const payload = { large: "x".repeat(250_000) };
    const sent: string[] = [];
    for (let n = 0; n < 18; n++) sent.push((await sendWire(bob, "large-reader", { payload })).id);
    const notice = await removed("lasting");
    const [wires, notices]: [string[], string[]] = [[], []];
    let page = await expectOk(reader.get("/inbox?limit=100"));
    while (page.wires.length + page.tombstone_notices.length > 0) {
      wires.push(...idsOf(page.wires));
      notices.push(...page.tombstone_notices.map(({ wire_id }: Body) => wire_id));
      page = await expectOk(reader.get(`/inbox?limit=100&cursor=${page.next_cursor}`));
    }
    expect(wires).toEqual(sent);
    expect(notices).toEqual([notice]);
  });

  // [D15-retain-lists]
  it("leaves no empty page before items that are left: notices of hidden wires are skipped", async () => {
    const reader = await daemon.createAgent("noticed-reader");
    await createSpace(alice, "noticed");
    await expectOk(alice.put("/spaces/noticed", { retain_days: 1 }));
    const removals = async () => {
      for (let n = 0; n < 2; n++) {
        const { id } = await sendWire(reader, "#noticed");
        await expectOk(alice.delete(`/spaces/noticed/wires/${id}`));
      }
    };
    const decide = async () => {
      await setEgressPolicy(reader, { mode: "approval" });
      await decideApproval(reader, await sendHeldWire(reader, "#noticed"));
      await setEgressPolicy(reader, { mode: "open" });
    };
    await removals();
    await decide();
    const wire = await sendWire(bob, "noticed-reader");
    await decide();
    await removals();
    await age(1);
    const ownerPath = "/handles/noticed-reader/inbox";
    const cursors: string[] = [];
    for (const [client, path] of [
      [reader, "/inbox"],
      [reader.owner, ownerPath],
    ] as const) {
      const page = await expectOk(client.get(`${path}?limit=1`));
      expect(idsOf(page.wires)).toEqual([wire.id]);
      cursors.push(page.next_cursor);
      const { next_cursor, ...rest } = await expectOk(
        client.get(`${path}?limit=1&cursor=${page.next_cursor}`),
      );
      expect(rest).toEqual(NO_ITEMS);
      const last = await expectOk(client.get(`${path}?cursor=${next_cursor}`));
      expect(last).toEqual({ ...rest, next_cursor });
    }
    const newest = await expectOk(reader.owner.get(`${ownerPath}?order=newest&limit=1`));
    expect(newest).toMatchObject({ wires: [{ id: wire.id }], tombstone_notices: [], next_cursor: null });
    await restartAndDelete();
    expect(idsOf((await expectOk(reader.owner.get(`${ownerPath}?limit=1`))).wires)).toEqual([wire.id]);
    // Hidden items do not end a long-poll.
    const waiting = reader.get(`/inbox?wait=30&cursor=${cursors[0]}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const late = await sendWire(bob, "noticed-reader");
    expect(idsOf((await expectOk(waiting)).wires)).toEqual([late.id]);
  });

  // [D15-retain-longer] [D15-retain-days]
  it("comes back after a longer time was set, and a change is audited", async () => {
    await createSpace(alice, "changing");
    const wire = await sendWire(alice, "#changing");
    await age(5);
    const feed = async () => idsOf((await expectOk(bob.get("/spaces/changing/wires"))).wires);
    expect(await feed()).toEqual([wire.id]);
    for (const [retain_days, left] of [
      [5, []],
      [6, [wire.id]],
      [1, []],
      [null, [wire.id]],
    ] as const) {
      expect(await expectOk(alice.put("/spaces/changing", { retain_days }))).toMatchObject({ retain_days });
      expect(await feed()).toEqual(left);
      expect(idsOf((await expectOk(alice.get("/sent"))).wires)).toEqual(left);
    }
    const { entries } = await expectOk(alice.owner.get("/audit?action=retention.changed&limit=4"));
    expect(entries).toMatchObject(Array(4).fill({ actor: "@alice", subject: "#changing" }));
    expect(entries[0].detail).toBe("retain_days: 1 -> none");
    for (const retain_days of [0, 3_651, 1.5, "1"]) {
      await expectRefused(alice.put("/spaces/changing", { retain_days }), "VALIDATION_ERROR");
    }
  });
});

describe("deletion", () => {
  // [D15-retain-longer]
  it("ends at once when a longer time is set for the space", async () => {
    await createSpace(alice, "reprieved");
    const posts = Array.from({ length: 200 }, () => ({ text: "keep me" }));
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let post = posts.pop(); post; post = posts.pop()) await sendWire(alice, "#reprieved", post);
      }),
    );
    await expectOk(alice.put("/spaces/reprieved", { retain_days: 1 }));
    await age(1);
    const left = async () => {
      const [row] = await withDatabase(daemon.dataDir, (database) =>
        database.all<{ n: number }>(
          "SELECT count(*) AS n FROM wires w JOIN spaces s ON s.pk = w.space WHERE s.slug = 'reprieved'",
        ),
      );
      return Number(row!.n);
    };
    const undo = await withDatabase(daemon.dataDir, slowDownDeletion);
    await daemon.restart();
    await expect.poll(left, { interval: 5, timeout: 30_000 }).toBeLessThan(200);
    await expectOk(alice.put("/spaces/reprieved", { retain_days: null }));
    const count = await left();
    expect(count).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await left()).toBe(count);
    await withDatabase(daemon.dataDir, undo);
  });
});

describe("the database", () => {
  // [D15-audit-lifetime]
  it("keeps audit entries for 400 days", async () => {
    const count = () =>
      withDatabase(daemon.dataDir, (database) => database.all("SELECT pk FROM audit WHERE pk < 0"));
    await withDatabase(daemon.dataDir, async (database) => {
      for (const [pk, days] of [
        [-2, 401],
        [-1, 399],
      ] as const) {
        await database.run(
          `INSERT INTO audit (pk, id, account, at, actor, action, subject, outcome)
             SELECT ${pk}, 'entry${pk}', min(pk), ${Date.now() - days * DAY_MS}, 'human', 'key.issued', '@alice', 'ok' FROM accounts`,
        );
      }
    });
    await daemon.restart();
    await expect.poll(count, { interval: 50, timeout: 10_000 }).toHaveLength(1);
  });

  it("is sound after deletions", async () => {
    expect(await databaseProblems(daemon.dataDir)).toEqual([]);
    // The check would otherwise prove nothing.
    expect(
      await withDatabase(daemon.dataDir, (database) =>
        database.all("SELECT name FROM meta WHERE name LIKE 'deleted%'"),
      ),
    ).toHaveLength(3);
  });
});

/** Counts what is stored of a space thread whose first wire had a vote. */
function tableCounts(root: string): Promise<{ votes: number; claims: number; terms: number }> {
  return withDatabase(daemon.dataDir, async (database) => {
    const [row] = await database.all<{ votes: number; claims: number; terms: number }>(
      `SELECT (SELECT count(*) FROM votes) AS votes, (SELECT count(*) FROM claims) AS claims,
         (SELECT count(*) FROM wires_fts f JOIN wires w ON w.pk = f.rowid
         JOIN thread_roots r ON r.thread = w.thread WHERE r.id = '${root}') AS terms`,
    );
    return { votes: Number(row!.votes), claims: Number(row!.claims), terms: Number(row!.terms) };
  });
}

/** Returns pseudorandom integers below `n`. */
function randomNumbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
