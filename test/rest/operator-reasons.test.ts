/** Reasons that operators give (docs/specification/dashboard-operations.md#reasons). */
import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, expectRefused, readInboxToEnd, readWire, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { grantOperator } from "../harness/operator.js";

const { daemon, oscar, olga, mallory, bob } = await hostedFixture(["oscar", "olga", "mallory", "bob"]);

beforeAll(async () => {
  for (const slug of ["oscar", "olga"]) await grantOperator(daemon, slug);
});

const remove = (by: AgentClient, { id }: Body, reason?: string) =>
  by.request("DELETE", `/operator/wires/${id}`, reason === undefined ? undefined : { reason });
const suspend = (by: AgentClient, slug: string, body: Body) =>
  by.put(`/operator/handles/${slug}`, { suspended: true, ...body });
const logOf = async (agent: AgentClient, action: string): Promise<Body[]> =>
  (await expectOk(agent.owner.get(`/audit?action=${action}`))).entries;

describe("the reason of a removal", () => {
  // [D9-operator-reason]
  it("is in the log of the sender and of the operator, and nowhere else", async () => {
    await readInboxToEnd(mallory);
    await readInboxToEnd(bob);
    const wire = await sendWire(mallory, "bob", { text: "buy" });
    const removed = await expectOk(remove(oscar, wire, "sells stolen keys"));
    for (const agent of [mallory, oscar]) {
      expect(await logOf(agent, "wire.removed")).toMatchObject([
        { actor: "@oscar", handle: agent.slug, subject: `wire:${wire.id}`, reason: "sells stolen keys" },
      ]);
    }
    const seen = [removed, await readWire(mallory, wire), await readWire(bob, wire)];
    for (const agent of [mallory, bob]) {
      const inbox = await expectOk(agent.get("/inbox"));
      expect(inbox.tombstone_notices).toHaveLength(1);
      seen.push(inbox, await expectOk(agent.get(`/threads/${wire.thread_id}`)));
    }
    seen.push(await logOf(bob, "wire.removed"));
    expect(JSON.stringify(seen)).not.toContain("stolen");
  });

  // [D9-operator-reason]
  it("stays the first one, as the tombstone does", async () => {
    const wire = await sendWire(mallory, "bob");
    const first = await expectOk(remove(oscar, wire, "first"));
    expect(await expectOk(remove(olga, wire, "second"))).toEqual(first);
    expect(await expectOk(remove(oscar, wire))).toEqual(first);
    const own = (await logOf(mallory, "wire.removed")).filter(({ subject }) => subject === `wire:${wire.id}`);
    expect(own).toMatchObject([{ reason: "first" }]);
    expect(await logOf(olga, "wire.removed")).toEqual([]);
  });

  // [D9-operator-reason]
  it("is null if none was given", async () => {
    const wire = await sendWire(mallory, "bob");
    await expectOk(remove(oscar, wire));
    expect((await logOf(mallory, "wire.removed"))[0]).toMatchObject({ reason: null });
    expect((await logOf(mallory, "key.issued"))[0]).toMatchObject({ reason: null });
  });
});

describe("the reason of a suspension", () => {
  // [D9-operator-reason]
  it("is in the log of both accounts, for the suspension and its end", async () => {
    const eve = await daemon.createAgent("eve");
    await expectOk(suspend(oscar, "eve", { reason: "floods #ops" }));
    await expectOk(suspend(oscar, "eve", { suspended: false, reason: "promised to stop" }));
    for (const agent of [eve, oscar]) {
      expect(await logOf(agent, "handle.suspended")).toMatchObject([{ reason: "floods #ops" }]);
      expect(await logOf(agent, "handle.restored")).toMatchObject([{ reason: "promised to stop" }]);
    }
  });

  // [D9-operator-reason]
  it("stays the first one while the handle is suspended", async () => {
    const fay = await daemon.createAgent("fay");
    await expectOk(suspend(oscar, "fay", { reason: "first" }));
    const at = (await expectOk(oscar.get("/operator/handles/fay"))).suspended_at;
    expect(await expectOk(suspend(olga, "fay", { reason: "second" }))).toEqual({
      slug: "fay",
      suspended: true,
    });
    expect(await logOf(fay, "handle.suspended")).toMatchObject([{ actor: "@oscar", reason: "first" }]);
    expect(await expectOk(olga.get("/operator/handles/fay"))).toMatchObject({
      suspended_at: at,
      suspended_by: "@oscar",
      suspended_reason: "first",
    });
    await expectOk(suspend(olga, "fay", { suspended: false }));
    await expectOk(suspend(olga, "fay", { reason: "second" }));
    expect(await expectOk(olga.get("/operator/handles/fay"))).toMatchObject({
      suspended_by: "@olga",
      suspended_reason: "second",
    });
  });
});

describe("a reason", () => {
  // [D9-operator-reason-length]
  it("has 1 to 500 code points, and nothing is done with another one", async () => {
    const gus = await daemon.createAgent("gus");
    const wire = await sendWire(gus, "bob");
    for (const reason of ["", "x".repeat(501), "😀".repeat(501)]) {
      const refused = await expectRefused(remove(oscar, wire, reason), "VALIDATION_ERROR");
      expect(refused.errors).toMatchObject([{ instancePath: "/reason" }]);
      await expectRefused(suspend(oscar, "gus", { reason }), "VALIDATION_ERROR");
    }
    for (const reason of [null, 7, ["a"], { a: 1 }])
      await expectRefused(suspend(oscar, "gus", { reason }), "VALIDATION_ERROR");
    expect((await readWire(gus, wire)).tombstone).toBeNull();
    const longest = "😀".repeat(500);
    await expectOk(remove(oscar, wire, longest));
    await expectOk(suspend(oscar, "gus", { reason: longest }));
    expect(await logOf(gus, "wire.removed")).toMatchObject([{ reason: longest }]);
    expect(await logOf(gus, "handle.suspended")).toMatchObject([{ reason: longest }]);
  });

  // [D9-operator-reason] [D9-export]
  it("is stored as it was sent, control characters included, and exported", async () => {
    const hal = await daemon.createAgent("hal");
    const odd = "a\u0000b\nc\u001b[2Jd\u202ee\u{10ffff} 'quoted' \\u0000 %00";
    const wire = await sendWire(hal, "bob");
    await expectOk(remove(oscar, wire, odd));
    await expectOk(suspend(oscar, "hal", { reason: odd }));
    const reasons = async (action: string) => (await logOf(hal, action)).map(({ reason }) => reason);
    expect(await reasons("wire.removed")).toEqual([odd]);
    expect(await reasons("handle.suspended")).toEqual([odd]);
    const token = await daemon.issuer.token({ claims: { sub: "hal", email: "hal@example.com" } });
    const response = await fetch(`${daemon.base}/export`, { headers: { authorization: `Bearer ${token}` } });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line): Body => JSON.parse(line));
    expect(lines.filter(({ reason }) => reason === odd)).toMatchObject([
      { type: "audit", action: "wire.removed" },
      { type: "audit", action: "handle.suspended" },
    ]);
  });
});
