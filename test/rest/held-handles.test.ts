/** What becomes of held wires and policies when their handle is suspended, retired or exported. */
import { beforeAll, describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { answer, approvalOf, approvalsOf, sendHeld, setEgress } from "../harness/egress.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { grantOperator } from "../harness/operator.js";
import { ok, refused, send } from "../harness/talk.js";

const { daemon, oscar, reader } = await fileDaemon(["oscar", "reader"]);
let handles = 0;

beforeAll(async () => {
  await grantOperator(daemon, "oscar");
});

async function asking(): Promise<AgentClient> {
  const agent = await daemon.agent(`s-${handles++}`);
  await setEgress(agent, { mode: "approval" });
  return agent;
}

const suspend = (agent: AgentClient, suspended: boolean) =>
  ok(oscar.put(`/operator/handles/${agent.slug}`, { suspended }));
const inboxOf = async (): Promise<Body[]> => (await ok(reader.get("/inbox?limit=100"))).wires;

describe("a handle that is suspended", () => {
  it("does not send what is approved meanwhile, but does what is approved afterwards [D9-approved-checks]", async () => {
    const agent = await asking();
    const [first, second] = [await sendHeld(agent, "reader"), await sendHeld(agent, "reader")];
    await suspend(agent, true);
    expect(await answer(agent, first)).toMatchObject({ status: "approved", error: { code: "FORBIDDEN" } });
    await suspend(agent, false);
    expect(await answer(agent, second)).toMatchObject({ status: "approved", error: null });
    expect((await inboxOf()).map(({ id }) => id)).toEqual([second.id]);
  });
});

describe("a handle that is retired", () => {
  it("withdraws what it has held, but for what has expired or is answered [D9-held-retired]", async () => {
    const agent = await asking();
    const [held, rejected] = [await sendHeld(agent, "reader"), await sendHeld(agent, "reader")];
    const knocked = await ok(agent.post("/knocks", { handle: "reader", intro: "hi" }), 202);
    await answer(agent, rejected, { status: "rejected" });
    await ok(agent.owner.delete(`/handles/${agent.slug}`));
    for (const one of [held, knocked]) {
      const approval = await approvalOf(agent, one);
      expect(approval).toMatchObject({ status: "withdrawn", decided_at: expect.any(String) });
      await refused(agent.owner.put(`/approvals/${approval.id}`, { status: "approved" }), "VALIDATION_ERROR");
    }
    expect(await approvalOf(agent, rejected)).toMatchObject({ status: "rejected" });
    expect(await approvalsOf(agent, `?handle=${agent.slug}`)).toHaveLength(3);
    await refused(agent.owner.get(`/handles/${agent.slug}/egress`), "NOT_FOUND");
  });

  it("as a target refuses what is approved, and stays on lists as a name [D9-approved-checks] [D9-egress-targets]", async () => {
    const [agent, target] = [await asking(), await daemon.agent(`s-${handles++}`)];
    const held = await sendHeld(agent, target.slug);
    await setEgress(agent, { allow: [`@${target.slug}`] });
    await ok(target.owner.delete(`/handles/${target.slug}`));
    expect(await answer(agent, held)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect((await setEgress(agent, {})).allow).toEqual([`@${target.slug}`]);
  });
});

describe("the export", () => {
  it("holds the policy and the approvals of each handle [D9-egress-export]", async () => {
    const agent = await asking();
    const policy = await setEgress(agent, { allow: ["@oscar"], deny: ["#ops"] });
    const [held, sent] = [await sendHeld(agent, "reader"), await sendHeld(agent, "reader")];
    const knocked = await ok(agent.post("/knocks", { handle: "reader", intro: "hi" }), 202);
    await answer(agent, sent);
    await send(agent, "oscar");
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
    const approvals = await approvalsOf(agent);
    const byId = new Map(approvals.map((approval) => [approval.id, { type: "approval", ...approval }]));
    const exported = ofType("approval");
    expect(exported.map(({ wire, knock }) => (wire ?? knock).id)).toEqual([held.id, sent.id, knocked.id]);
    for (const line of exported) expect(line).toEqual(byId.get(line.id));
  });
});
