/** Tests that the commands in hints and usage errors work as printed. */

import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withContext } from "../../cli/output/hint-context.js";
import { buildProgram } from "../../cli/program.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { CliSandbox } from "../harness/cli-sandbox.js";
import { type Body, COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { runInProcess } from "../harness/in-process.js";
import { Terminal } from "../harness/terminal.js";

describe("a usage error", () => {
  it.each<[args: string[], stderr: string]>([
    [
      ["send", "@bob", "hello", "world"],
      "wireroom send accepts <to> [text], but got 3 arguments; put the text in quotes: wireroom send @bob 'hello world'",
    ],
    [
      ["space", "feed", "ops", "--order"],
      "the option --order <order> needs a value: choose one of newest, oldest, top",
    ],
    [
      ["send", "@bob", "--", "hi", "--wait-for-reply"],
      "; --wait-for-reply comes after --, where options are arguments (USAGE)\n",
    ],
    [
      ["send", "@bob", "--wait-for-reply", "will it rain?"],
      "at most 24h. A text comes before the option. (USAGE)\n",
    ],
    [["send", "#ops", "disk", "full"], "put the text in quotes: wireroom send '#ops' 'disk full' (USAGE)\n"],
    [["limits", "now"], "wireroom limits accepts no arguments, but got 1 (USAGE)\n"],
    [["completion"], "wireroom completion needs <shell>: choose one of bash, zsh, fish, powershell"],
    [["frobnicate", "--help"], "unknown command 'frobnicate' (USAGE)\n"],
    [["space", "frobnicate", "--help"], "unknown command 'frobnicate' (USAGE)\n"],
    [["handle", "create"], "wireroom handle create needs <name>: name of the handle"],
    [
      ["egress", "set", "@alice"],
      "nothing to change: pass at least one option (USAGE)\n\nWhat to do:\n  List the options: wireroom egress set --help\n",
    ],
    [
      ["help", "inbx"],
      "unknown command 'inbx' (USAGE)\n\nWhat to do:\n  Did you mean inbox?\n  Show the usage: wireroom --help\n",
    ],
    [["help", "frobnicate"], "unknown command 'frobnicate' (USAGE)\n"],
    [["space", "help", "fed"], "unknown command 'fed' (USAGE)\n\nWhat to do:\n  Did you mean feed?\n"],
    [["mcp", "instal", "claude-code"], "unknown command 'instal' (USAGE)\n\nWhat to do:\n  Did you mean "],
    [["hook", "instal", "claude-code"], "unknown command 'instal' (USAGE)\n\nWhat to do:\n  Did you mean "],
    [
      ["search", "weather"],
      "unknown command 'weather': choose one of handles, spaces, schemas, messages (USAGE)\n",
    ],
    [["send", "@bob"], "nothing to send: pass a text (- reads it from standard input), --payload, or both"],
    [
      ["hook", "install", "cursor"],
      "'cursor' is invalid for the argument <host>. For others, wireroom watch runs",
    ],
    [
      ["mcp", "install", "vim"],
      "zed. (USAGE)\n\nWhat to do:\n  Show the usage: wireroom mcp install --help\n",
    ],
    [["hook", "install", "codex", "--session", "zz"], "hook install does not accept --session"],
    [["handle", "create", "quotes", "--contact-policy", "knock"], "Did you mean contacts_only?\n"],
    [["inbox", "ack"], "Did you mean wireroom inbox --done?\n"],
    [["hook", "install", "claude"], "Did you mean claude-code?\n"],
    [["hook", "--relation", "self,contacts"], "Did you mean contact?\n"],
    [["init", "--host", "claud-code"], "Did you mean claude-code?\n"],
    [["mcp", "install", "vs-code"], "Did you mean vscode?\n"],
    [["watch", "--kind", "wires", "--", "true"], "Did you mean wire?\n"],
    [["approval", "approve"], "wireroom approval approve needs <id...>: "],
    [
      ["space", "delete", "ops"],
      "a space cannot be deleted; to let only mods post: wireroom space update SPACE",
    ],
    [["schema", "list"], "yours by the name of your handle: wireroom search schemas HANDLE"],
    [
      ["schema", "import", "@alice/order", "order.json"],
      "name the subject with an option: wireroom schema import order.json --subject @alice/order (USAGE)\n",
    ],
    [
      ["space", "create", "ideas", "--visibility", "public", "--root-rule", "@alice/idea"],
      `pass a rule: '{"allow_text":false,"accepted_schemas":["@alice/idea"]}'\n`,
    ],
    [["send", "@bob", "--payload", "@~/no such file"], `there is no file ${homedir()}/no such file `],
    [
      ["space", "create", "ideas"],
      "wireroom space create needs the option --visibility <who>: choose one of public, private",
    ],
  ])("of wireroom %j names the accepted values", async (args, message) => {
    const { code, stderr } = await runInProcess(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("a daemon started with --data-dir and --port", () => {
  // An empty variable counts as unset. Otherwise the variables would override the profile.
  const env = { WIREROOM_DATA_DIR: "", WIREROOM_PORT: "" };
  let sandbox: CliSandbox;
  let port: string;
  /** What the command printed. */
  let up: Body;

  beforeAll(async () => {
    sandbox = await CliSandbox.create();
    port = String(await freePort());
    up = await sandbox.runJson(["up", "--data-dir", sandbox.dataDir, "--port", port], { env });
  });
  afterAll(() => sandbox.cleanUp());

  // [C-up-settings]
  it("is reported if its settings differ from the requested ones", async () => {
    const other = await sandbox.run(["up", "--limit", "wires_per_minute=9"], { env });
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain("--limit wires_per_minute is 60, not 9");
    expect(other.stderr).toContain("wireroom down");
    expect((await sandbox.run(["up", "--limit", "wires_per_minute=60", "--port", port], { env })).code).toBe(
      0,
    );
  });

  it("is named by the error of a command that calls another URL", async () => {
    const key = { ...env, WIREROOM_API_KEY: `wr_${"0".repeat(43)}` };
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const failed = await sandbox.run(["inbox", "--url", url], { env: key });
    expect(failed.stderr).toContain(`to use it, add: --url ${up.base_url}`);
    const remote = await sandbox.run(["inbox", "--url", "http://wireroom.invalid/v1", "--profile", "other"], {
      env: { ...key, WIREROOM_DATA_DIR: `${sandbox.folder}/none` },
    });
    expect(remote.stderr).toMatch(/^error no response from http:\/\/wireroom\.invalid\/v1 /m);
    expect(remote.stderr).not.toContain("wireroom up");
  });

  // [C-hints-context]
  it("is started at another port than one that fetch refuses", async () => {
    const key = { ...env, WIREROOM_API_KEY: `wr_${"0".repeat(43)}` };
    // A separate process, because the SDK's pool, which does not refuse ports, may be loaded in this one.
    const failed = await sandbox.spawn(["limits", "--url", "http://127.0.0.1:6000"], { env: key });
    expect(failed.code).toBe(8);
    expect(failed.stderr).toContain("(bad port)");
    expect(failed.stderr).toContain("Start the daemon at another one: wireroom up --port 8080");
  });

  // The last test, because it ends the daemon.
  // [C-up-found]
  it("is found by later commands without the flags", async () => {
    const status = await sandbox.runJson(["status"], { env });
    expect(status).toMatchObject({ running: true, pid: up.pid, data_dir: sandbox.dataDir });
    expect(await sandbox.runJson(["up"], { env })).toMatchObject({ started: false, pid: up.pid });
    expect((await sandbox.run(["logs"], { env })).stdout).toContain(`"listen":"${up.listen}"`);
    expect(await sandbox.runJson(["down"], { env })).toMatchObject({ stopped: true, pid: up.pid });
  });
});

describe("two wireroom up at the same time", () => {
  it("start one daemon, and the one whose settings it does not have fails", async () => {
    const sandbox = await CliSandbox.create();
    const start = (limit: number) => sandbox.run(["up", "--limit", `wires_per_minute=${limit}`]);
    try {
      const results = await Promise.all([start(5), start(7)]);
      expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
      expect(results.find(({ code }) => code === 1)!.stderr).toContain("--limit wires_per_minute is ");
    } finally {
      await sandbox.cleanUp();
    }
  });
});

describe("a hint", () => {
  let fixture: CliFixture;

  beforeAll(async () => {
    fixture = await CliFixture.start({ args: ["--limit", "wires_per_minute=none"] });
    for (const slug of ["alice", "bob"]) await fixture.createHandle(slug);
  });
  afterAll(() => fixture.stop());

  // [C-hints-context]
  it("repeats the profile, the URL and the handle of the command", async () => {
    const flags = ["--profile", "work", "--url", fixture.daemon.base, "--as", "carol"];
    const { stderr } = await runInProcess([...flags, "inbox"]);
    expect(stderr).toContain(`wireroom --profile work --url ${fixture.daemon.base} login`);
    const config = join(fixture.folder, "config");
    await mkdir(join(config, "profiles"), { recursive: true });
    const profile = { url: fixture.daemon.base, keys: { carol: "wr_unknown" } };
    await writeFile(join(config, "profiles", "work.json"), JSON.stringify(profile));
    const refused = await runInProcess([...flags, "inbox"], { env: { WIREROOM_CONFIG_DIR: config } });
    expect(refused.stderr).toContain(
      `wireroom --profile work --url ${fixture.daemon.base} key issue @carol --save`,
    );
  });

  // [C-hints-context]
  it("repeats them for every command", async () => {
    const { commands } = await buildProgram();
    for (const name of commands.map((command) => command.name()))
      expect(withContext(`wireroom ${name}`, { profile: "work" })).toBe(`wireroom --profile work ${name}`);
  });

  it("after inbox accepts a knock that is still pending", async () => {
    for (const slug of ["greeter", "caller", "waiter"]) await fixture.createHandle(slug);
    const ids: string[] = [];
    for (const slug of ["caller", "waiter"]) {
      const { body } = await fixture.agent(slug).post("/knocks", { handle: "greeter", intro: "hello" });
      ids.push(body.id);
    }
    const stderrOf = async () =>
      (await runInProcess(["inbox"], { env: fixture.env("greeter"), isTerminal: true })).stderr;
    await fixture.agent("greeter").put(`/knocks/${ids[0]}`, { status: "accepted" });
    const { knocks } = (await fixture.agent("greeter").get("/inbox")).body;
    expect(knocks.map(({ status }: Body) => status)).toEqual(["accepted", "pending"]);
    expect(await stderrOf()).toContain(`wireroom knock accept ${ids[1]}\n`);
    await fixture.agent("greeter").put(`/knocks/${ids[1]}`, { status: "accepted" });
    const mistyped = await fixture.runAs("greeter", "send", "@waitr", "hi");
    expect(mistyped.stderr).toContain("Did you mean @waiter?\n");
    expect(await stderrOf()).not.toContain("knock accept");
  });

  it("leads from a refused contact to the answer to an earlier knock", async () => {
    await fixture.createHandle("closed", { contact_policy: "contacts_only" });
    const { stderr } = await fixture.runAs("alice", "send", "@closed", "hi");
    expect(stderr).toContain("wireroom knock list --sent\n");
  });

  it("names a space that the command takes for a handle", async () => {
    await fixture.agent("alice").post("/spaces", { slug: "weather", visibility: "public" });
    for (const name of ["weather", "@weather"])
      expect((await fixture.runAs("alice", "send", name, "rain")).stderr).toContain(
        "If you mean the space, quote it: '#weather'\n",
      );
    expect((await fixture.runAs("alice", "contact", "remove", "weather", "--yes")).stderr).not.toContain("#");
  });

  it("shows a complete rule if one lacks allow_text", async () => {
    const create = ["space", "create", "jobs", "--visibility", "private", "--root-rule"];
    const refused = await fixture.runAs("alice", ...create, '{"claimable": true}');
    expect(refused.code).toBe(2);
    const [, rule] = /: '(\{.*\})'\n$/.exec(refused.stderr) ?? [];
    const { root_rule } = (await fixture.runJson("alice", ...create, rule!)).body;
    expect(root_rule).toMatchObject({ allow_text: true, claimable: true });
  });

  it("is about what is missing, if the command names several things", async () => {
    await fixture.agent("alice").post("/spaces", { slug: "hinted", visibility: "public" });
    const hintsOf = async (...args: string[]) => {
      const { stderr } = await fixture.runAs("alice", ...args);
      return stderr.split("What to do:\n")[1];
    };
    const handle = "  Find a handle: wireroom search handles WORDS\n";
    const wire = "  Find the id of the wire: wireroom inbox, or among your own: wireroom sent\n";
    expect(await hintsOf("space", "add-member", "hinted", "@ghost9")).toBe(handle);
    expect(await hintsOf("space", "add-member", "nowhere", "@bob")).toContain("List your spaces");
    expect(await hintsOf("send", "@ghost9", "hi")).toBe(handle);
    expect(await hintsOf("send", "#hinted", "hi", "--mention", "ghost9")).toBe(handle);
    const unknown = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
    for (const reply of ["nope", unknown]) {
      expect(await hintsOf("send", "@bob", "hi", "--reply-to", reply)).toBe(wire);
      expect(await hintsOf("space", "post", "hinted", "hi", "--reply-to", reply)).toBe(wire);
      expect(await hintsOf("reply", reply, "hi")).toBe(wire);
    }
  });

  // [C-hints-context]
  it("repeats the words of a search, and the cursor works", async () => {
    const alice = fixture.agent("alice");
    await alice.post("/spaces", { slug: "found", visibility: "public" });
    for (let n = 0; n < 3; n++) await alice.post("/wires", { to: "#found", text: `disk full ${n}` });
    const search = ["space", "search", "found", "--limit", "2", "--", '"disk full"', "-test"];
    const terminal = new Terminal(process.execPath, [COMMAND, ...search], {
      columns: 200,
      env: fixture.env("alice"),
    });
    expect(await terminal.exitCode).toBe(0);
    const hint = /wireroom space search found --cursor (\S+) -- '"disk full"' -test$/m.exec(terminal.history);
    const words = ["--", '"disk full"', "-test"];
    const next = await fixture.runAs(
      "alice",
      "space",
      "search",
      "found",
      "--json",
      "--cursor",
      hint![1]!,
      ...words,
    );
    expect(JSON.parse(next.stdout)).toMatchObject({ wires: [{ text_body: "disk full 0" }] });
  });

  it("does not recommend schema check after a failed schema check", async () => {
    await fixture.agent("alice").post("/schemas", {
      subject: "@alice/quote",
      json_schema: { type: "object", properties: { price: { type: "number" } } },
    });
    const checked = await fixture.spawnAs("alice", ["schema", "check", "@alice/quote", `{"price": "x"}`]);
    expect(checked.stderr).toContain("payload.price must be number");
    expect(checked.stderr).toContain("wireroom schema show @alice/quote");
    expect(checked.stderr).not.toContain("schema check");
  });

  // [C-schema-unchecked]
  it("warns about a version without compatibility check, and names the affected rules", async () => {
    const alice = fixture.agent("alice");
    const subject = "@alice/report";
    await alice.post("/schemas", { subject, json_schema: { type: "object" } });
    const rule = { allow_text: false, accepted_schemas: [subject] };
    await alice.post("/spaces", { slug: "reports", visibility: "private", root_rule: rule });
    await alice.post("/spaces", {
      slug: "pinned",
      visibility: "public",
      root_rule: { allow_text: false, accepted_schemas: [`${subject}@1`] },
    });
    const args = [
      "schema",
      "register",
      subject,
      '{"type":"object","required":["price"]}',
      "--compat",
      "none",
    ];
    const { code, stderr } = await fixture.runAs("alice", ...args);
    expect(code).toBe(0);
    expect(stderr).toContain("version 2 applies now: #reports");
    expect(stderr).not.toContain("#pinned");
    expect(stderr).toContain(`{"accepted_schemas": ["${subject}@1"]}`);
  });

  // [C-send-accepts]
  it("states that a wire has accepted the knock of its recipient", async () => {
    await fixture.agent("bob").post("/knocks", { handle: "alice", intro: "hello" });
    const { stderr } = await fixture.runAs("alice", "send", "@bob", "welcome");
    expect(stderr).toContain("This accepted the knock of @bob: you are contacts now.");
  });
});
