/** The egress policy and the approval queue, by commands of the human. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { packageFile } from "../../src/kernel/package-file.js";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import type { RunOptions } from "../harness/command.js";
import { type AgentClient, type Body, COMMAND } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { findApproval, listApprovals, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { SignedInHuman } from "../harness/signed-in-human.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon, bob } = await hostedFixture(["bob"], {});
let ada: SignedInHuman;
let alice: AgentClient;

beforeAll(async () => {
  alice = await daemon.createAgent("alice", {}, "ada");
  ada = await SignedInHuman.create(daemon, "ada");
});

/** Returns options that make the command act as an agent. */
const actAs = ({ key }: AgentClient): RunOptions => ({ env: { WIREROOM_API_KEY: key } });

/** Creates a handle of Ada with an approval policy. */
async function createAgentUnderApproval(slug: string): Promise<AgentClient> {
  const agent = await daemon.createAgent(slug, {}, "ada");
  await setEgressPolicy(agent, { mode: "approval" });
  return agent;
}

const wiresOf = async (agent: AgentClient) => (await agent.get("/inbox?limit=100")).body.wires;

describe("wireroom egress", () => {
  // [C-egress-show]
  it("shows the policy, also in handle show", async () => {
    expect(await ada.runJson(["egress", "show", "@alice"])).toEqual({
      mode: "open",
      allow: [],
      deny: [],
      publish: true,
    });
    const { stdout } = await ada.run(["egress", "show", "alice"]);
    expect(stdout).toBe(
      "handle\t@alice\nmode\topen\nallow\t-\ndeny\t-\nother targets\tsent\npublish\tallowed\n",
    );
    expect((await ada.run(["handle", "show", "alice"])).stdout).toContain("egress\topen\n");
    const stranger = await ada.run(["egress", "show", "bob", "--json"]);
    expect([stranger.code, JSON.parse(stranger.stderr).code]).toEqual([4, "FORBIDDEN"]);
    const unknown = await ada.run(["egress", "show", "nobody"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("wireroom handle list");
  });

  // [C-egress-set] [C-egress-targets]
  it("changes only what is given, and takes targets with their sign alone", async () => {
    await daemon.createAgent("replaced", {}, "ada");
    await ada.runJson(["egress", "allow", "replaced", "@bob"]);
    const set = await ada.runJson(["egress", "set", "@replaced", "--mode", "allowlist"]);
    expect(set).toEqual({ mode: "allowlist", allow: ["@bob"], deny: [], publish: true });
    const misspelt = await ada.run(["egress", "set", "replaced", "--mode", "aproval"]);
    expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining("Did you mean approval?")]);
    const nothing = await ada.run(["egress", "set", "replaced"]);
    expect([nothing.code, nothing.stdout]).toEqual([2, ""]);
    const bare = await ada.run(["egress", "allow", "replaced", "bob"]);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain("@bob for a handle, and space:ops or '#ops' for a space");
    // A request to this address would end with another code.
    const nobody = { env: { WIREROOM_URL: "http://127.0.0.1:1/v1" } };
    const unsent = await ada.run(["egress", "allow", "replaced", "bob"], nobody);
    expect(unsent).toEqual(bare);
    expect((await ada.run(["egress", "allow", "replaced", "@bob"], nobody)).code).toBe(8);
  });

  // [C-egress-publish]
  it("forbids and allows publishing, and says what a refused agent can do", async () => {
    const quiet = await daemon.createAgent("quiet", {}, "ada");
    const set = await ada.run(["egress", "set", "quiet", "--no-publish"]);
    expect([set.code, set.stdout]).toEqual([0, expect.stringContaining("publish\trefused\n")]);
    expect((await ada.run(["handle", "show", "quiet"])).stdout).toContain("egress\topen, no publishing\n");
    expect(await ada.runJson(["egress", "allow", "quiet", "@bob"])).toMatchObject({ publish: false });
    const { code, stderr } = await ada.run(["profile", "set", "--bio", "psst"], actAs(quiet));
    expect(code).toBe(4);
    expect(stderr).toContain("wireroom egress show HANDLE");
    expect(stderr).toContain("wireroom egress set HANDLE --publish");
    expect(await ada.runJson(["egress", "set", "quiet", "--publish"])).toMatchObject({
      allow: ["@bob"],
      publish: true,
    });
    await expectOk(quiet.put("/profile", { bio: "hello" }));
  });

  // [C-egress-lists]
  it("changes single targets of the lists", async () => {
    await daemon.createAgent("listing", {}, "ada");
    const change = (verb: string, ...targets: string[]) =>
      ada.runJson(["egress", verb, "listing", ...targets]);
    expect(await change("allow", "@bob", "space:ops")).toMatchObject({ allow: ["#ops", "@bob"], deny: [] });
    expect(await change("deny", "@bob", "@eve")).toMatchObject({ allow: ["#ops"], deny: ["@bob", "@eve"] });
    expect(await change("allow", "#ops")).toMatchObject({ allow: ["#ops"], deny: ["@bob", "@eve"] });
    expect(await change("forget", "@bob", "#ops")).toMatchObject({ mode: "open", allow: [], deny: ["@eve"] });
    const { body } = await alice.owner.get("/audit?handle=listing&action=egress.changed");
    // A change without effect is not logged.
    expect(body.entries).toHaveLength(3);
  });

  // [C-egress-lists]
  it("notes targets that do not exist, or that the handle cannot see", async () => {
    const noting = await daemon.createAgent("noting", {}, "ada");
    await createSpace(noting, "noted", { visibility: "private" });
    await createSpace(bob, "unseen", { visibility: "private" });
    const targets = ["@bob", "@not-yet", "#noted", "#unseen"];
    const { code, stdout, stderr } = await ada.run(["egress", "allow", "noting", ...targets]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("@not-yet") });
    expect(stderr).toBe(
      "There is no handle @not-yet yet.\nThere is no space #unseen yet that @noting can read.\n",
    );
    const set = await ada.run(["egress", "deny", "noting", "@later"]);
    expect(set.stderr).toBe("There is no handle @later yet.\n");
    expect((await ada.run(["egress", "forget", "noting", "@later"])).stderr).toBe("");
  });

  // [C-egress-lists]
  it("looks up at most 20 targets of a long list", async () => {
    await daemon.createAgent("lengthy", {}, "ada");
    const targets = Array.from({ length: 1_000 }, (_, n) => `@nobody-${n}`);
    const { code, stderr } = await ada.run(["egress", "allow", "lengthy", ...targets]);
    const notes = targets.slice(0, 20).map((target) => `There is no handle ${target} yet.\n`);
    expect([code, stderr]).toEqual([0, notes.join("")]);
  });

  // [C-egress-lists]
  it("applies all of several concurrent changes", async () => {
    await daemon.createAgent("busy", {}, "ada");
    const targets = ["@one", "@two", "#three", "@four"];
    await Promise.all(
      targets.map((target, n) => ada.runJson(["egress", n % 2 ? "deny" : "allow", "busy", target])),
    );
    expect(await ada.runJson(["egress", "show", "busy"])).toMatchObject({
      allow: ["#three", "@one"],
      deny: ["@four", "@two"],
    });
  });

  // [C-egress-blocked]
  it("makes a blocked send exit with 4 and name who can allow the target", async () => {
    const shut = await daemon.createAgent("shut-in", {}, "ada");
    await setEgressPolicy(shut, { mode: "allowlist" });
    const { code, stderr } = await ada.run(["send", "@bob", "hi"], actAs(shut));
    expect(code).toBe(4);
    expect(stderr).toContain("wireroom egress show @HANDLE");
    expect(stderr).toContain("wireroom egress allow @HANDLE @bob");
    const post = await ada.run(["send", "#ops", "hi"], actAs(shut));
    expect([4, 5]).toContain(post.code);
  });
});

describe("a held wire", () => {
  // [C-held] [C-approval-show] [C-approval-answer]
  it("is reported with the approval that it needs, and is delivered after the approval", async () => {
    const carol = await createAgentUnderApproval("carol");
    const payload = '{"price":12.5}';
    const sent = await ada.run(["send", "@bob", "may I?\nplease", "--payload", payload], actAs(carol));
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

    const approved = await ada.runJson(["approval", "approve", approval]);
    expect(approved).toMatchObject({ id: approval, status: "approved", error: null });
    expect(await wiresOf(bob)).toMatchObject([{ id, text_body: "may I?\nplease", payload: { price: 12.5 } }]);
  });

  // [C-approval-answer]
  it("is found by the start of its id, if no other id starts so", async () => {
    const starter = await createAgentUnderApproval("starter");
    // An id starts with its time, so that two differ in their first eight characters only if 66 seconds pass.
    const ids: string[] = [];
    do ids.push((await sendHeldWire(starter, "@bob")).id);
    while (ids.at(-1)?.slice(0, 8) !== ids.at(-2)?.slice(0, 8));
    const first = ids.pop()!;
    const approvals = await listApprovals(starter, "?limit=100");
    const others = approvals.flatMap(({ id, wire }) => (wire?.id === first ? [] : [id, wire?.id]));
    const shared = (id = "") => [...first].findIndex((character, index) => character !== id[index]);
    const length = Math.max(...others.map(shared)) + 1;
    const [start, common] = [first.slice(0, length), first.slice(0, length - 1)];
    expect(await ada.run(["approval", "approve", common])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(`\\d ids start with ${common}`),
    });
    expect((await ada.run(["approval", "approve", first.slice(0, 7)])).code).toBe(5);
    expect(await ada.runJson(["approval", "reject", `${start}…`])).toMatchObject({ status: "rejected" });
    expect((await ada.run(["approval", "show", start])).stdout).toContain("status\trejected\n");
    // An answered one still counts, so that this does not approve the other.
    expect((await ada.run(["approval", "approve", common])).code).toBe(2);
    for (const id of ids) await ada.runJson(["approval", "reject", id]);
  });

  // [C-held]
  it("has status held in JSON, and so does a held knock", async () => {
    const dave = await createAgentUnderApproval("dave");
    const wire = await ada.runJson(["send", "@bob", "hi"], actAs(dave));
    expect(wire).toMatchObject({ status: "held" });
    expect(await ada.runJson(["knock", "send", "@bob", "I am Dave"], actAs(dave))).toMatchObject({
      status: "held",
    });
    const { stdout } = await ada.run(["approval", "list", "--handle", "dave", "--status", "pending"]);
    expect(stdout.split("\n").map((line) => line.split("\t")[5])).toEqual(["knock", "wire", undefined]);
    // The id that `send` has printed names the approval, too.
    const rejected = await ada.runJson(["approval", "reject", wire.id, "--note", "ask Bob\nfirst"]);
    expect(rejected).toMatchObject({ status: "rejected", note: "ask Bob\nfirst", wire: { id: wire.id } });
    const { stdout: page } = await ada.run(["inbox"], actAs(dave));
    expect(page).toMatch(
      new RegExp(`^approval_notice\t${wire.id}\t[^\t]+\t\trejected the wire to @bob: ask Bob ⏎ first\t\t\n$`),
    );
    const { stdout: line } = await ada.run(["inbox", "--follow", "--json", "--ack"], {
      ...actAs(dave),
      input: "",
    });
    expect(JSON.parse(line)).toMatchObject({
      kind: "approval_notice",
      approval_notice: { status: "rejected" },
    });
  });

  // [C-json-fields]
  it("is printed with the chosen fields of the approval, not of its wire or knock", async () => {
    const dana = await createAgentUnderApproval("dana");
    await sendHeldWire(dana, "@bob");
    const list = (fields: string) => ada.run(["approval", "list", "--handle", "dana", `--json=${fields}`]);
    expect(JSON.parse((await list("target,kind")).stdout).approvals).toEqual([
      { target: "@bob", kind: "wire" },
    ]);
    const refused = await list("text_body");
    expect([refused.code, JSON.parse(refused.stderr).message]).toEqual([
      2,
      expect.stringMatching(/^the result has no field "text_body"; its fields are .*target/),
    ]);
  });

  // [C-send-waits-held] [C-wire-wait] [C-reply-read]
  it("is waited for by send --wait-for-reply and wire wait, then the reply is; each outcome has its exit code", async () => {
    const asker = await createAgentUnderApproval("asker");
    const ask = (seconds: string, ...more: string[]) =>
      ada.run(["send", "@bob", "may I?", "--wait-for-reply", seconds, ...more], actAs(asker));
    const waitAgain = async (id: string) => {
      const { code, stdout } = await ada.run(["wire", "wait", id, "--timeout", "0", "--json"], actAs(asker));
      return [code, JSON.parse(stdout)];
    };
    const pending = async () => {
      const list = ["approval", "list", "--handle", "asker", "--status", "pending"];
      const first = async () => (await ada.runJson(list)).approvals[0]?.id;
      return (await vi.waitUntil(first, { timeout: 20_000 })) as string;
    };
    const held = await ask("1");
    expect([held.code, held.stderr]).toEqual([
      12,
      expect.stringContaining("It is still held. Wait for its approval and the reply: wireroom wire wait "),
    ]);
    const heldId = held.stdout.trim();
    expect(await waitAgain(heldId)).toEqual([12, expect.objectContaining({ status: "held", reply: null })]);
    await ada.run(["approval", "reject", await pending()]);

    const rejected = ask("40", "--json");
    await ada.run(["approval", "reject", await pending(), "--note", "not yet"]);
    const { code: rejectedCode, stdout } = await rejected;
    const rejection = JSON.parse(stdout);
    expect([rejectedCode, rejection]).toEqual([
      4,
      expect.objectContaining({ status: "rejected", note: "not yet", reply: null }),
    ]);
    const again = await ada.run(["wire", "wait", rejection.id], actAs(asker));
    expect(again.stderr).toBe("The wire is not sent: the human rejected it: not yet\n");
    expect((await waitAgain(heldId))[0]).toBe(4);

    await ada.run(["inbox", "--done"], actAs(asker));
    const answered = ask("40");
    await ada.run(["approval", "approve", await pending()]);
    const question = (await wiresOf(bob)).at(-1);
    await bob.post("/wires", { to: "@asker", text: "you may", reply_to: question.id });
    const [id, reply] = (await answered).stdout.split("\n");
    expect([(await answered).code, id]).toEqual([0, question.id]);
    expect(reply).toContain("\t@bob\t@asker\tyou may\t");

    await setEgressPolicy(asker, { mode: "open" });
    const none = await ask("0", "--json");
    const noneYet = JSON.parse(none.stdout);
    expect([none.code, noneYet.reply]).toEqual([11, null]);
    expect((await waitAgain(noneYet.id))[0]).toBe(11);
    // A printed reply is acknowledged, unless an older item is unread.
    const unread = async () => (await wiresOf(asker)).map(({ text_body }: Body) => text_body);
    expect(await unread()).toEqual([]);
    await bob.post("/wires", { to: "@asker", text: "older" });
    await bob.post("/wires", { to: "@asker", text: "late", reply_to: noneYet.id });
    const late = {
      id: noneYet.id,
      thread_id: noneYet.id,
      reply: expect.objectContaining({ text_body: "late" }),
    };
    expect([await waitAgain(noneYet.id), await unread()]).toEqual([
      [0, late],
      ["older", "late"],
    ]);

    await ada.run(["inbox", "--done"], actAs(asker));
    await createSpace(bob, "answers");
    const root = await sendWire(asker, "#answers", { text: "who knows?" });
    await sendWire(bob, "#answers", { text: "I do", reply_to: root.id });
    expect((await asker.get("/inbox")).body.space_notices).toHaveLength(1);
    expect((await waitAgain(root.id))[0]).toBe(0);
    expect((await asker.get("/inbox")).body.space_notices).toEqual([]);

    const notice = "[no answer: the command for this wire failed]";
    const { body: failed } = await asker.post("/wires", { to: "@bob", text: "a question" });
    await bob.post("/wires", { to: "@asker", text: notice, reply_to: failed.id });
    expect(await waitAgain(failed.id)).toEqual([
      1,
      expect.objectContaining({ reply: expect.objectContaining({ text_body: notice }) }),
    ]);
  });

  // [C-approval-answer] [C-approval-remember] [C-approval-list]
  it("is approved, rejected, or approved with --remember", async () => {
    const erin = await createAgentUnderApproval("erin");
    const held = [
      await sendHeldWire(erin, "@bob"),
      await sendHeldWire(erin, "@bob"),
      await sendHeldWire(erin, "@bob"),
    ];
    const ids = await Promise.all(held.map(async (each) => (await findApproval(erin, each)).id as string));
    const rejected = await ada.run(["approval", "reject", ...ids.slice(0, 2), "--json"]);
    const lines = rejected.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(["rejected", "rejected"]);
    const { stdout } = await ada.run(["approval", "approve", ids[2]!, "--remember"]);
    expect(stdout).toBe(`${ids[2]}\n`);
    expect((await ada.runJson(["egress", "show", "erin"])).allow).toEqual(["@bob"]);
    const { approvals } = await ada.runJson([
      "approval",
      "list",
      "--handle",
      "erin",
      "--all",
      "--limit",
      "2",
    ]);
    expect(approvals.map(({ status }: { status: string }) => status).sort()).toEqual([
      "approved",
      "rejected",
      "rejected",
    ]);
    // The id of the wire stands for that of its approval.
    for (const id of [ids[0]!, held[0]!.id]) {
      const other = await ada.run(["approval", "approve", id]);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("rejected")]);
    }
    const unknown = await ada.run(["approval", "approve", "01890c5a-7f2b-7c3d-8e4f-000000000000"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("wireroom approval list");
  });

  // [C-approval-refused]
  it("is shown with its error if it was approved but rejected by the rules", async () => {
    const frank = await createAgentUnderApproval("frank");
    const choosy = await daemon.createAgent("choosy");
    const { id } = await findApproval(frank, await sendHeldWire(frank, "@choosy"));
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

  // [C-approval-list]
  it("is listed on a terminal before decided ones, with the next steps", async () => {
    const gina = await createAgentUnderApproval("gina");
    const old = await findApproval(gina, await sendHeldWire(gina, "@bob", { text: "the first" }));
    await gina.owner.put(`/approvals/${old.id}`, { status: "rejected" });
    const held = await findApproval(gina, await sendHeldWire(gina, "@bob", { text: "\u001b[31mred" }));
    const terminal = ada.openTerminal(["approval", "list", "--handle", "gina"], { columns: 100 });
    expect(await terminal.exitCode).toBe(0);
    const { history } = terminal;
    expect(history).toMatch(/^pending {2}@gina → @bob {2}(now|\d+ s ago)/);
    expect(history).toContain("␛[31mred");
    expect(history.indexOf("rejected")).toBeGreaterThan(history.indexOf("pending"));
    expect(history).toContain(`wireroom approval approve ${held.id}`);
  });
});

describe("wireroom approval watch", () => {
  /** Starts the watch with a command of /bin/sh. */
  function startWatch(config: string, line: string, variables: Record<string, string> = {}) {
    const env = { ...process.env, ...ada.env, WIREROOM_CONFIG_DIR: config, ...variables };
    const args = [COMMAND, "approval", "watch", "--exec", line];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }
  const linesOf = (file: string) =>
    existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];

  // [C-approval-watch] [C-approval-watch-recipes]
  it("runs a command for each held wire and knock, again if it fails, and goes on after a restart", async () => {
    const config = new TemporaryFolder("wireroom-approvals-").path;
    const agent = await createAgentUnderApproval("watched");
    const first = await sendHeldWire(agent, "@bob", { text: "the words" });
    const out = join(config, "out");
    // Fails once for each approval.
    const line = `cat >> "$0.in"; [ -e "$0.$WIREROOM_ID" ] || { touch "$0.$WIREROOM_ID"; exit 1; }; echo "$WIREROOM_ID $WIREROOM_KIND $WIREROOM_HANDLE $WIREROOM_TARGET \${WIREROOM_CONSOLE_URL:-none}" >> "$0"`;
    const quoted = line.replaceAll("$0", "$OUT");
    const watch = startWatch(config, quoted, { OUT: out });
    const { id } = await findApproval(agent, first);
    const said = `${id} wire watched @bob none`;
    await expect.poll(() => linesOf(out).join(), { timeout: 30_000 }).toContain(said);
    expect(
      linesOf(`${out}.in`)
        .map((text) => JSON.parse(text))
        .find((each) => each.id === id),
    ).toMatchObject({
      kind: "wire",
      wire: { text_body: "the words" },
    });
    watch.kill("SIGKILL");
    await once(watch, "exit");

    const knock = await expectOk(agent.post("/knocks", { handle: "bob", intro: "may I?" }), 202);
    const again = startWatch(config, quoted, { OUT: out });
    const { id: second } = await findApproval(agent, knock);
    await expect
      .poll(() => linesOf(out).at(-1), { timeout: 30_000 })
      .toContain(`${second} knock watched @bob none`);
    const other = await ada.run(["approval", "watch", "--exec", "true"], {
      env: { WIREROOM_CONFIG_DIR: config },
    });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("already watches the approvals")]);
    again.kill("SIGTERM");
    expect((await once(again, "exit"))[0]).toBe(0);
    for (const args of [[], ["--exec", "true", "--", "true"], ["--", "no-such-program"]])
      expect((await ada.run(["approval", "watch", ...args])).code, args.join(" ")).not.toBe(0);
  });

  // [C-approval-watch-recipes]
  it("has recipes that reach ntfy, Slack, Telegram, a mail server and the desktop, without the words", async () => {
    const guide = await readFile(packageFile("docs/guide/approvals.md"), "utf8");
    const recipes = [...guide.matchAll(/<!-- recipe (\w+) -->\n```sh\n([\s\S]*?)```/g)];
    expect(recipes.map(([, name]) => name)).toEqual(["ntfy", "slack", "telegram", "email", "desktop"]);
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      const { url, headers } = request;
      seen.push([url, headers.title, headers.click, decodeURIComponent(await textOf(request))].join(" "));
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = new TemporaryFolder("wireroom-recipes-").path;
    // Programs in place of those of the mail server and the desktop.
    for (const name of ["sendmail", "notify-send"])
      await writeFile(
        join(folder, name),
        `#!/bin/sh\necho "${name} $*"\n[ ${name} = sendmail ] && cat || true\n`,
        { mode: 0o755 },
      );
    const variables = {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      WIREROOM_KIND: "wire",
      WIREROOM_HANDLE: "alice",
      WIREROOM_TARGET: "#ops",
      WIREROOM_CONSOLE_URL: `${origin}/console/approvals/1`,
      SLACK_WEBHOOK_URL: `${origin}/slack`,
      TELEGRAM_BOT_TOKEN: "1:a",
      TELEGRAM_CHAT_ID: "7",
    };
    for (const [, name, script] of recipes) {
      const file = join(folder, name!);
      await writeFile(file, script!.replace(/https:\/\/[\w.]*(ntfy\.sh|telegram\.org)/, origin), {
        mode: 0o755,
      });
      const child = spawn(file, { env: variables, stdio: ["pipe", "pipe", "inherit"] });
      // A recipe need not read its input.
      child.stdin.on("error", () => {}).end('{"wire":{"text_body":"the words"}}');
      const [printed, [code]] = await Promise.all([textOf(child.stdout), once(child, "exit")]);
      const reached = name === "email" || name === "desktop" ? printed : seen.at(-1);
      expect([code, reached?.includes(variables.WIREROOM_CONSOLE_URL)], name).toEqual([0, true]);
      for (const part of ["@alice", "#ops"]) expect(reached, name).toContain(part);
      expect(reached).not.toContain("the words");
    }
    expect(seen).toHaveLength(3);
    expect(seen[2]).toMatch(/^\/bot1:a\/sendMessage .*chat_id=7&text=/);
    server.close();
  });
});
