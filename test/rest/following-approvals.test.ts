/** Tests of GET /approvals with `wait`: a human, or a program of theirs, that follows the approval queue. */
import { describe, expect, it } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import type { AgentClient, Body, Client } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { hold } from "../harness/held-requests.js";

const { daemon } = await hostedFixture(["bob"]);
let names = 0;

/** Creates a human with two handles whose wires need approval. */
async function newHuman(): Promise<AgentClient[]> {
  const owner = `human-${names++}`;
  const agents = await Promise.all([1, 2].map((n) => daemon.createAgent(`${owner}-${n}`, {}, owner)));
  for (const agent of agents) await setEgressPolicy(agent, { mode: "approval" });
  return agents;
}

const list = (human: Client, query: string) => human.get(`/approvals?${query}`);
const wiresOf = ({ approvals }: Body) => approvals.map(({ wire }: Body) => wire.id);

describe("GET /approvals with wait", () => {
  // [D14-wait-approvals]
  it("lists the pending approvals alone, oldest first, on pages that lead on", async () => {
    const [one, two] = await newHuman();
    const held: string[] = [];
    for (const agent of [one!, two!, one!, two!]) held.push((await sendHeldWire(agent, "bob")).id);
    await decideApproval(one!, { id: held[1]! }, { status: "rejected" });
    const first = await expectOk(list(one!.owner, "wait=30&limit=2"));
    expect(wiresOf(first)).toEqual([held[0], held[2]]);
    const second = await expectOk(list(one!.owner, `wait=30&status=pending&cursor=${first.next_cursor}`));
    expect(wiresOf(second)).toEqual([held[3]]);
    const end = await expectOk(list(one!.owner, `wait=0&cursor=${second.next_cursor}`));
    expect(end).toEqual({ approvals: [], next_cursor: second.next_cursor });
    expect(wiresOf(await expectOk(list(one!.owner, `wait=0&handle=${two!.slug}`)))).toEqual([held[3]]);
  });

  // [D14-wait-approvals]
  it("is held until a wire or knock of the account waits for approval", async () => {
    const [[one, two], [other]] = await Promise.all([newHuman(), newHuman()]);
    const { next_cursor } = await expectOk(list(one!.owner, "wait=0"));
    for (const add of [
      () => sendHeldWire(two!, "bob"),
      () => expectOk(one!.post("/knocks", { handle: "bob", intro: "may I?" }), 202),
    ]) {
      const reply = await hold(daemon, () => list(one!.owner, `wait=30&cursor=${next_cursor}`));
      await sendHeldWire(other!, "bob");
      const { id } = await add();
      const { approvals } = await expectOk(reply());
      const [{ wire, knock, status }] = approvals;
      expect({ id: (wire ?? knock).id, status }).toEqual({ id, status: "pending" });
      await decideApproval(one!, { id }, { status: "rejected" });
    }
    expect(await expectOk(list(one!.owner, `wait=1&cursor=${next_cursor}`))).toMatchObject({ approvals: [] });
  });

  // [D14-wait-approvals]
  it("stays held, with the same cursor, when an approval was answered", async () => {
    const [one] = await newHuman();
    const held = await sendHeldWire(one!, "bob");
    const { next_cursor } = await expectOk(list(one!.owner, "wait=0"));
    const reply = await hold(daemon, () => list(one!.owner, `wait=30&cursor=${next_cursor}`));
    await decideApproval(one!, held, { status: "rejected" });
    const next = await sendHeldWire(one!, "bob");
    expect(wiresOf(await expectOk(reply()))).toEqual([next.id]);
    await decideApproval(one!, next, { status: "rejected" });
    const end = await expectOk(list(one!.owner, `wait=0&cursor=${next_cursor}`));
    expect(end).toEqual({ approvals: [], next_cursor });
  });

  // [D14-wait-decisions]
  it("ends with an empty list and `decisions` when an approval is answered or withdrawn", async () => {
    const [one, two] = await newHuman();
    const held = [await sendHeldWire(one!, "bob"), await sendHeldWire(two!, "bob")] as const;
    let { next_cursor } = await expectOk(list(one!.owner, "wait=0&decisions=true"));
    for (const end of [
      () => decideApproval(one!, held[0], { status: "rejected" }),
      () => expectOk(two!.delete(`/wires/${held[1].id}`)),
    ]) {
      const reply = await hold(daemon, () =>
        list(one!.owner, `wait=30&decisions=true&cursor=${next_cursor}`),
      );
      await end();
      const page = await expectOk(reply());
      expect(page.approvals).toEqual([]);
      // Whoever asks after the decision gets the same response.
      expect(await expectOk(list(one!.owner, `wait=30&decisions=true&cursor=${next_cursor}`))).toEqual(page);
      next_cursor = page.next_cursor;
    }
  });

  // [D14-wait-decisions]
  it("never lists an approval whose answer its cursor hides", async () => {
    const [one] = await newHuman();
    for (let n = 0; n < 25; n++) {
      const held = await sendHeldWire(one!, "bob");
      const query = "wait=0&decisions=true";
      const pages = Array.from({ length: 4 }, () => expectOk(list(one!.owner, query)));
      const [answered] = await Promise.all([decideApproval(one!, held, { status: "rejected" }), ...pages]);
      for (const { approvals, next_cursor } of await Promise.all(pages)) {
        const next = await expectOk(list(one!.owner, `${query}&cursor=${next_cursor}`));
        if (approvals.some(({ id }: Body) => id === answered.id))
          expect(next.next_cursor).not.toBe(next_cursor);
      }
    }
  });

  // [D14-wait-approvals]
  it("takes no other status, and no cursor of the list without `wait`", async () => {
    const [one] = await newHuman();
    await expectRefused(list(one!.owner, "wait=1&status=approved"), "VALIDATION_ERROR");
    for (let n = 0; n < 2; n++) await sendHeldWire(one!, "bob");
    const { next_cursor } = await expectOk(list(one!.owner, "limit=1"));
    await expectRefused(list(one!.owner, `wait=0&cursor=${next_cursor}`), "VALIDATION_ERROR");
  });

  // [D14-wait-rights]
  it("is 403 if the ID token has expired meanwhile", async () => {
    const name = `human-${names++}`;
    await daemon.createAgent(name, {}, name);
    // A token is accepted for 30 s after its expiry (docs/specification/identity.md#id-tokens).
    const exp = Math.floor(Date.now() / 1_000) - 25;
    const token = await daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com`, exp } });
    const human = daemon.client(token);
    const reply = await hold(daemon, () => list(human, "wait=6"));
    await expectRefused(reply(), "FORBIDDEN");
  });
});
