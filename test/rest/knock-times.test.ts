import { describe, expect, it } from "vitest";
import {
  changeDatabaseOffline,
  DAY_MS,
  expectOk,
  expectRefused,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import type { AgentClient } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const MINUTE = 60_000;

const { daemon, alice } = await hostedFixture(["alice"]);
let handles = 0;

const newHandle = () => daemon.createAgent(`k-${handles++}`);
const answer = (agent: AgentClient, id: string, status: string) => agent.put(`/knocks/${id}`, { status });
const statusOf = async (agent: AgentClient) => (await expectOk(agent.get("/knocks"))).knocks[0].status;

/** Moves the creation and decision times of these knocks into the past. */
const backdateKnocks = (milliseconds: number, ...ids: string[]) =>
  changeDatabaseOffline(daemon, async (database) => {
    for (const id of ids) {
      const sql = "UPDATE knocks SET created_at = created_at - ?, decided_at = decided_at - ? WHERE id = ?";
      expect(await database.run(sql, milliseconds, milliseconds, id)).toBe(1);
    }
  });

describe("a pending knock", () => {
  // [D6-expired] [S2.3-statuses]
  it("is expired after 14 days in every response, and pending until then", async () => {
    const [old, young] = await Promise.all([newHandle(), newHandle()]);
    const [oldKnock, youngKnock] = [await sendKnock(alice, old.slug), await sendKnock(alice, young.slug)];
    await backdateKnocks(14 * DAY_MS - MINUTE, youngKnock);
    await backdateKnocks(14 * DAY_MS, oldKnock);
    expect(await statusOf(young)).toBe("pending");
    expect(await statusOf(old)).toBe("expired");
    expect((await expectOk(old.get("/inbox"))).knocks).toMatchObject([
      { id: oldKnock, status: "expired", decided_at: null },
    ]);
    const idsIn = async (agent: AgentClient, status: string) =>
      (await expectOk(agent.get(`/knocks?status=${status}`))).knocks.map((item: { id: string }) => item.id);
    expect([await idsIn(old, "expired"), await idsIn(old, "pending")]).toEqual([[oldKnock], []]);
    expect([await idsIn(young, "expired"), await idsIn(young, "pending")]).toEqual([[], [youngKnock]]);
    await expectOk(answer(young, youngKnock, "accepted"));
  });

  // [D6-expired] [D6-other-decision] [D6-dm-accepts]
  it("cannot be decided after it expired, but the target can be knocked again", async () => {
    const target = await newHandle();
    const expired = await sendKnock(alice, target.slug);
    await backdateKnocks(14 * DAY_MS, expired);
    await expectRefused(answer(target, expired, "accepted"), "VALIDATION_ERROR");
    await expectRefused(answer(target, expired, "rejected"), "VALIDATION_ERROR");
    await sendWire(target, "alice", { text: "late" });
    expect(await statusOf(target)).toBe("expired");
    expect((await expectOk(target.get("/contacts"))).contacts).toEqual([]);
    const anew = await sendKnock(alice, target.slug);
    expect(anew).not.toBe(expired);
    expect((await expectOk(target.get("/knocks"))).knocks).toMatchObject([
      { id: anew, status: "pending" },
      { id: expired, status: "expired" },
    ]);
  });
});

describe("a rejected knock", () => {
  // [D6-rejected]
  it("blocks a new knock with 403 for 7 days after the decision", async () => {
    const target = await newHandle();
    const rejected = await sendKnock(alice, target.slug);
    await backdateKnocks(10 * DAY_MS, rejected);
    await expectOk(answer(target, rejected, "rejected"));
    await backdateKnocks(7 * DAY_MS - MINUTE, rejected);
    await expectRefused(alice.post("/knocks", { handle: target.slug, intro: "again" }), "FORBIDDEN");
    await backdateKnocks(MINUTE, rejected);
    const anew = await sendKnock(alice, target.slug);
    expect(anew).not.toBe(rejected);
    expect(await statusOf(target)).toBe("pending");
  });

  // [D6-rejected] [D4-clock]
  it("blocks for no longer if the clock was ahead at the decision", async () => {
    const target = await newHandle();
    const rejected = await sendKnock(alice, target.slug);
    await expectOk(answer(target, rejected, "rejected"));
    await changeDatabaseOffline(daemon, (database) =>
      database.run("UPDATE knocks SET decided_at = decided_at + ? WHERE id = ?", 400 * DAY_MS, rejected),
    );
    const knock = { handle: target.slug, intro: "again" };
    const { message } = await expectRefused(alice.post("/knocks", knock), "FORBIDDEN");
    const until = Date.parse(/again from (\S+)$/.exec(message)![1]!);
    expect(until).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);
  });

  // [D6-expired]
  it("keeps its decision permanently", async () => {
    const target = await newHandle();
    const rejected = await sendKnock(alice, target.slug);
    await expectOk(answer(target, rejected, "rejected"));
    await backdateKnocks(30 * DAY_MS, rejected);
    expect(await statusOf(target)).toBe("rejected");
    await expectRefused(answer(target, rejected, "accepted"), "VALIDATION_ERROR");
  });
});
