/** The human's control over where handles send: policies and approvals, through the command. */
import { beforeAll, describe, expect, it } from "vitest";
import type { RunOptions } from "../harness/command.js";
import type { AgentClient } from "../harness/daemon.js";
import { approvalOf, sendHeld, setEgress } from "../harness/egress.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { Owner } from "../harness/owner.js";

const { daemon, bob } = await fileDaemon(["bob"], {});
let ada: Owner;
let alice: AgentClient;

beforeAll(async () => {
  alice = await daemon.agent("alice", {}, "ada");
  ada = await Owner.of(daemon, "ada");
});

/** What makes the command act as a handle. */
const acting = ({ key }: AgentClient): RunOptions => ({ env: { WIREROOM_API_KEY: key } });

/** Another handle of Ada's, under approval. */
async function supervised(slug: string): Promise<AgentClient> {
  const agent = await daemon.agent(slug, {}, "ada");
  await setEgress(agent, { mode: "approval" });
  return agent;
}

const wiresOf = async (agent: AgentClient) => (await agent.get("/inbox?limit=100")).body.wires;

describe("egress", () => {
  it("shows the policy, also in handle show [C-egress-show]", async () => {
    expect(await ada.json(["egress", "show", "@alice"])).toEqual({ mode: "open", allow: [], deny: [] });
    const { stdout } = await ada.run(["egress", "show", "alice"]);
    expect(stdout).toBe("handle\t@alice\nmode\topen\nallow\t-\ndeny\t-\nothers\tare sent to\n");
    expect((await ada.run(["handle", "show", "alice"])).stdout).toContain("egress\topen\n");
    const stranger = await ada.run(["egress", "show", "bob", "--json"]);
    expect([stranger.code, JSON.parse(stranger.stderr).code]).toEqual([4, "FORBIDDEN"]);
    const unknown = await ada.run(["egress", "show", "nobody"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("wireroom handle list");
  });

  it("replaces what is given, and nothing else [C-egress-set] [C-egress-targets]", async () => {
    await daemon.agent("replaced", {}, "ada");
    const lists = ["--allow", "@bob", "space:ops", "--deny", "#gossip"];
    const set = await ada.json(["egress", "set", "replaced", "--mode", "allowlist", ...lists]);
    expect(set).toEqual({ mode: "allowlist", allow: ["#ops", "@bob"], deny: ["#gossip"] });
    const emptied = await ada.json(["egress", "set", "@replaced", "--no-allow"]);
    expect(emptied).toEqual({ mode: "allowlist", allow: [], deny: ["#gossip"] });
    const nothing = await ada.run(["egress", "set", "replaced"]);
    expect([nothing.code, nothing.stdout]).toEqual([2, ""]);
    const bare = await ada.run(["egress", "set", "replaced", "--allow", "bob"]);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain("@bob for a handle, and space:ops or '#ops' for a space");
  });

  it("changes the lists target by target [C-egress-lists]", async () => {
    await daemon.agent("listing", {}, "ada");
    const change = (verb: string, ...targets: string[]) => ada.json(["egress", verb, "listing", ...targets]);
    expect(await change("allow", "@bob", "space:ops")).toMatchObject({ allow: ["#ops", "@bob"], deny: [] });
    expect(await change("deny", "@bob", "@eve")).toMatchObject({ allow: ["#ops"], deny: ["@bob", "@eve"] });
    expect(await change("allow", "#ops")).toMatchObject({ allow: ["#ops"], deny: ["@bob", "@eve"] });
    expect(await change("forget", "@bob", "#ops")).toEqual({ mode: "open", allow: [], deny: ["@eve"] });
    const { body } = await alice.owner.get("/audit?handle=listing&action=egress.changed");
    // What was so already was not changed.
    expect(body.entries).toHaveLength(3);
  });

  it("keeps all of what several commands change at once [C-egress-lists]", async () => {
    await daemon.agent("busy", {}, "ada");
    const targets = ["@one", "@two", "#three", "@four"];
    await Promise.all(
      targets.map((target, n) => ada.json(["egress", n % 2 ? "deny" : "allow", "busy", target])),
    );
    expect(await ada.json(["egress", "show", "busy"])).toMatchObject({
      allow: ["#three", "@one"],
      deny: ["@four", "@two"],
    });
  });

  it("that refuses a wire ends it with 4, and says who may let it through [C-egress-blocked]", async () => {
    const shut = await daemon.agent("shut-in", {}, "ada");
    await setEgress(shut, { mode: "allowlist" });
    const { code, stderr } = await ada.run(["send", "@bob", "hi"], acting(shut));
    expect(code).toBe(4);
    expect(stderr).toContain("wireroom egress show HANDLE");
    expect(stderr).toContain("wireroom egress allow HANDLE @bob");
    const post = await ada.run(["send", "#ops", "hi"], acting(shut));
    expect([4, 5]).toContain(post.code);
  });
});

describe("what is held", () => {
  it("says that the human must approve it, and arrives once approved [C-held] [C-approval-show] [C-approval-answer]", async () => {
    const carol = await supervised("carol");
    const payload = '{"price":12.5}';
    const sent = await ada.run(["send", "@bob", "may I?\nplease", "--payload", payload], acting(carol));
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain("wireroom approval list");
    const id = sent.stdout.trim();
    expect(await wiresOf(bob)).toEqual([]);

    const listed = await ada.run(["approval", "list", "--handle", "@carol"]);
    expect(listed.stdout).toMatch(
      /^\S+\t\S+\tpending\tcarol\t@bob\twire\tmay I\? ⏎ please\t\{"price":12.5\}\t\n$/,
    );
    const approval = listed.stdout.split("\t")[0]!;
    const shown = await ada.run(["approval", "show", id]);
    expect(shown.stdout).toContain("from\t@carol\nto\t@bob\n");
    expect(shown.stdout).toMatch(/text\tmay I\?\n +please\npayload\t\{\n +"price": 12.5\n +\}\n$/);

    const approved = await ada.json(["approval", "approve", approval]);
    expect(approved).toMatchObject({ id: approval, status: "approved", error: null });
    expect(await wiresOf(bob)).toMatchObject([{ id, text_body: "may I?\nplease", payload: { price: 12.5 } }]);
  });

  it("has its status in JSON, wires and knocks alike [C-held]", async () => {
    const dave = await supervised("dave");
    expect(await ada.json(["send", "@bob", "hi"], acting(dave))).toMatchObject({ status: "held" });
    expect(await ada.json(["knock", "send", "@bob", "I am Dave"], acting(dave))).toMatchObject({
      status: "held",
    });
    const { stdout } = await ada.run(["approval", "list", "--handle", "dave", "--status", "pending"]);
    expect(stdout.split("\n").map((line) => line.split("\t")[5])).toEqual(["knock", "wire", undefined]);
  });

  it("is answered in turn, rejected, and remembered [C-approval-answer] [C-approval-remember] [C-approval-list]", async () => {
    const erin = await supervised("erin");
    const held = [await sendHeld(erin, "@bob"), await sendHeld(erin, "@bob"), await sendHeld(erin, "@bob")];
    const ids = await Promise.all(held.map(async (each) => (await approvalOf(erin, each)).id as string));
    const rejected = await ada.run(["approval", "reject", ...ids.slice(0, 2), "--json"]);
    const lines = rejected.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(["rejected", "rejected"]);
    const { stdout } = await ada.run(["approval", "approve", ids[2]!, "--remember"]);
    expect(stdout).toBe(`${ids[2]}\n`);
    expect((await ada.json(["egress", "show", "erin"])).allow).toEqual(["@bob"]);
    const { approvals } = await ada.json(["approval", "list", "--handle", "erin", "--all", "--limit", "2"]);
    expect(approvals.map(({ status }: { status: string }) => status).sort()).toEqual([
      "approved",
      "rejected",
      "rejected",
    ]);
    const other = await ada.run(["approval", "approve", ids[0]!]);
    expect(other.code).toBe(2);
    const unknown = await ada.run(["approval", "approve", held[0]!.id]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("wireroom approval list");
  });

  it("and is refused once approved is shown with its envelope [C-approval-refused]", async () => {
    const frank = await supervised("frank");
    const choosy = await daemon.agent("choosy");
    const { id } = await approvalOf(frank, await sendHeld(frank, "@choosy"));
    await choosy.put("/profile", { contact_policy: "contacts_only" });
    const approved = await ada.run(["approval", "approve", id, "--json"]);
    expect(approved.code).toBe(4);
    expect(JSON.parse(approved.stdout)).toMatchObject({
      status: "approved",
      error: { code: "KNOCK_REQUIRED" },
    });
    expect(JSON.parse(approved.stderr).code).toBe("KNOCK_REQUIRED");
    const shown = await ada.run(["approval", "show", id]);
    expect(shown.stdout).toMatch(/not sent\t.*\(KNOCK_REQUIRED\)\n$/);
    expect((await ada.run(["approval", "show", "nothing"])).code).toBe(5);
  });

  it("looks right on a terminal: what waits first, and what to do [C-approval-list]", async () => {
    const gina = await supervised("gina");
    const old = await approvalOf(gina, await sendHeld(gina, "@bob", { text: "the first" }));
    await gina.owner.put(`/approvals/${old.id}`, { status: "rejected" });
    const held = await approvalOf(gina, await sendHeld(gina, "@bob", { text: "\u001b[31mred" }));
    const terminal = ada.terminal(["approval", "list", "--handle", "gina"], { columns: 100 });
    expect(await terminal.ended).toBe(0);
    const { history } = terminal;
    expect(history).toMatch(/^pending {2}@gina → @bob {2}(now|\d+ s ago)/);
    expect(history).toContain("␛[31mred");
    expect(history.indexOf("rejected")).toBeGreaterThan(history.indexOf("pending"));
    expect(history).toContain(`wireroom approval approve ${held.id}`);
  });
});
