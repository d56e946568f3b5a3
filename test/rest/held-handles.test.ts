/** Tests of held wires and egress policies whose handle is suspended, retired or exported. */
import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import {
  decideApproval,
  findApproval,
  listApprovals,
  sendHeldWire,
  setEgressPolicy,
} from "../harness/egress.js";
import { grantOperator } from "../harness/operator.js";

const { daemon, oscar, reader } = await hostedFixture(["oscar", "reader"]);
let handles = 0;

beforeAll(async () => {
  await grantOperator(daemon, "oscar");
});

async function newAgentUnderApproval(): Promise<AgentClient> {
  const agent = await daemon.createAgent(`s-${handles++}`);
  await setEgressPolicy(agent, { mode: "approval" });
  return agent;
}

const suspend = (agent: AgentClient, suspended: boolean) =>
  expectOk(oscar.put(`/operator/handles/${agent.slug}`, { suspended }));
const inboxOf = async (): Promise<Body[]> => (await expectOk(reader.get("/inbox?limit=100"))).wires;

describe("a suspended handle", () => {
  // [D9-approved-checks]
  it("does not send a wire approved during the suspension, but sends one approved afterwards", async () => {
    const agent = await newAgentUnderApproval();
    const [first, second] = [await sendHeldWire(agent, "reader"), await sendHeldWire(agent, "reader")];
    await suspend(agent, true);
    expect(await decideApproval(agent, first)).toMatchObject({
      status: "approved",
      error: { code: "FORBIDDEN" },
    });
    await suspend(agent, false);
    expect(await decideApproval(agent, second)).toMatchObject({ status: "approved", error: null });
    expect((await inboxOf()).map(({ id }) => id)).toEqual([second.id]);
  });
});

describe("a retired handle", () => {
  // [D9-held-retired]
  it("withdraws its held wires, except those that are expired or decided", async () => {
    const agent = await newAgentUnderApproval();
    const [held, rejected] = [await sendHeldWire(agent, "reader"), await sendHeldWire(agent, "reader")];
    const knocked = await expectOk(agent.post("/knocks", { handle: "reader", intro: "hi" }), 202);
    await decideApproval(agent, rejected, { status: "rejected" });
    await expectOk(agent.owner.delete(`/handles/${agent.slug}`));
    for (const one of [held, knocked]) {
      const approval = await findApproval(agent, one);
      expect(approval).toMatchObject({ status: "withdrawn", decided_at: expect.any(String) });
      await expectRefused(
        agent.owner.put(`/approvals/${approval.id}`, { status: "approved" }),
        "VALIDATION_ERROR",
      );
    }
    expect(await findApproval(agent, rejected)).toMatchObject({ status: "rejected" });
    expect(await listApprovals(agent, `?handle=${agent.slug}`)).toHaveLength(3);
    await expectRefused(agent.owner.get(`/handles/${agent.slug}/egress`), "NOT_FOUND");
  });

  // [D9-approved-checks] [D9-egress-targets]
  it("makes the approval of a wire to it fail, and keeps its name on egress lists", async () => {
    const [agent, target] = [await newAgentUnderApproval(), await daemon.createAgent(`s-${handles++}`)];
    const held = await sendHeldWire(agent, target.slug);
    await setEgressPolicy(agent, { allow: [`@${target.slug}`] });
    await expectOk(target.owner.delete(`/handles/${target.slug}`));
    expect(await decideApproval(agent, held)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect((await setEgressPolicy(agent, {})).allow).toEqual([`@${target.slug}`]);
  });
});

describe("the account export", () => {
  // [D9-egress-export]
  it("contains the egress policy and the approvals of each handle", async () => {
    const agent = await newAgentUnderApproval();
    const policy = await setEgressPolicy(agent, { allow: ["@oscar"], deny: ["#ops"] });
    const [held, sent] = [await sendHeldWire(agent, "reader"), await sendHeldWire(agent, "reader")];
    const knocked = await expectOk(agent.post("/knocks", { handle: "reader", intro: "hi" }), 202);
    await decideApproval(agent, sent);
    await sendWire(agent, "oscar");
    const token = await daemon.issuer.token({
      claims: { sub: agent.slug, email: `${agent.slug}@example.com` },
    });
    const headers = { authorization: `Bearer ${token}` };
    const text = await (await fetch(`${daemon.base}/export`, { headers })).text();
    const lines: Body[] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ofType = (wanted: string) => lines.filter(({ type }) => type === wanted);
    expect(ofType("egress")).toEqual([{ type: "egress", owner_handle_id: agent.id, ...policy }]);
    const approvals = await listApprovals(agent);
    const byId = new Map(approvals.map((approval) => [approval.id, { type: "approval", ...approval }]));
    const exported = ofType("approval");
    expect(exported.map(({ wire, knock }) => (wire ?? knock).id)).toEqual([held.id, sent.id, knocked.id]);
    for (const line of exported) expect(line).toEqual(byId.get(line.id));
  });
});
