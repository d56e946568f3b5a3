import { describe, expect, it } from "vitest";
import type { AgentClient } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { DAY, knock, ok, refused, send, whileStopped } from "../harness/talk.js";

const MINUTE = 60_000;

const { daemon, alice } = await fileDaemon(["alice"]);
let handles = 0;

const newHandle = () => daemon.agent(`k-${handles++}`);
const answer = (agent: AgentClient, id: string, status: string) => agent.put(`/knocks/${id}`, { status });
const statusOf = async (agent: AgentClient) => (await ok(agent.get("/knocks"))).knocks[0].status;

/** Lets the knocks' time pass: each was made, and decided, this much earlier. */
const age = (milliseconds: number, ...ids: string[]) =>
  whileStopped(daemon, async (database) => {
    for (const id of ids) {
      const sql = "UPDATE knocks SET created_at = created_at - ?, decided_at = decided_at - ? WHERE id = ?";
      expect(await database.run(sql, milliseconds, milliseconds, id)).toBe(1);
    }
  });

describe("a pending knock", () => {
  it("is expired after 14 days everywhere, and pending until then [D6-expired] [S2.3-statuses]", async () => {
    const [old, young] = await Promise.all([newHandle(), newHandle()]);
    const [oldKnock, youngKnock] = [await knock(alice, old.slug), await knock(alice, young.slug)];
    await age(14 * DAY - MINUTE, youngKnock);
    await age(14 * DAY, oldKnock);
    expect(await statusOf(young)).toBe("pending");
    expect(await statusOf(old)).toBe("expired");
    expect((await ok(old.get("/inbox"))).knocks).toMatchObject([
      { id: oldKnock, status: "expired", decided_at: null },
    ]);
    const idsIn = async (agent: AgentClient, status: string) =>
      (await ok(agent.get(`/knocks?status=${status}`))).knocks.map((item: { id: string }) => item.id);
    expect([await idsIn(old, "expired"), await idsIn(old, "pending")]).toEqual([[oldKnock], []]);
    expect([await idsIn(young, "expired"), await idsIn(young, "pending")]).toEqual([[], [youngKnock]]);
    await ok(answer(young, youngKnock, "accepted"));
  });

  it("that expired can no longer be decided, by an answer or a DM, but knocked anew [D6-expired] [D6-other-decision] [D6-dm-accepts]", async () => {
    const target = await newHandle();
    const expired = await knock(alice, target.slug);
    await age(14 * DAY, expired);
    await refused(answer(target, expired, "accepted"), "VALIDATION_ERROR");
    await refused(answer(target, expired, "rejected"), "VALIDATION_ERROR");
    await send(target, "alice", { text: "late" });
    expect(await statusOf(target)).toBe("expired");
    expect((await ok(target.get("/contacts"))).contacts).toEqual([]);
    const anew = await knock(alice, target.slug);
    expect(anew).not.toBe(expired);
    expect((await ok(target.get("/knocks"))).knocks).toMatchObject([
      { id: anew, status: "pending" },
      { id: expired, status: "expired" },
    ]);
  });
});

describe("after a rejection", () => {
  it("a new knock is 403 for 7 days, counted from the decision, and then taken [D6-rejected]", async () => {
    const target = await newHandle();
    const rejected = await knock(alice, target.slug);
    await age(10 * DAY, rejected);
    await ok(answer(target, rejected, "rejected"));
    await age(7 * DAY - MINUTE, rejected);
    await refused(alice.post("/knocks", { handle: target.slug, intro: "again" }), "FORBIDDEN");
    await age(MINUTE, rejected);
    const anew = await knock(alice, target.slug);
    expect(anew).not.toBe(rejected);
    expect(await statusOf(target)).toBe("pending");
  });

  it("a decided knock stays decided, however old [D6-expired]", async () => {
    const target = await newHandle();
    const rejected = await knock(alice, target.slug);
    await ok(answer(target, rejected, "rejected"));
    await age(30 * DAY, rejected);
    expect(await statusOf(target)).toBe("rejected");
    await refused(answer(target, rejected, "accepted"), "VALIDATION_ERROR");
  });
});
