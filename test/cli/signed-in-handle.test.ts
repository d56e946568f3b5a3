/** A signed-in human acts as one of the account's handles, without a saved API key. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../harness/command.js";
import { addConnection } from "../harness/connections.js";
import { type Body, EMBEDDED_IDENTITY, NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { Human, PASSWORD } from "../harness/human.js";
import { grantOperator } from "../harness/operator.js";

const { daemon } = await daemonFixture([], { ...EMBEDDED_IDENTITY, args: NO_LIMITS });
let names = 0;

async function signedIn(): Promise<Human> {
  const human = new Human(() => daemon);
  await human.signUpAndLogIn();
  return human;
}

/** Creates a handle by the command. */
async function newHandle(human: Human): Promise<string> {
  const slug = `human-${names++}`;
  await human.runJson(["handle", "create", slug]);
  return slug;
}

const tokenFile = (human: Human) => join(dirname(human.profilePath()), "default.tokens");
const tokensOf = async (human: Human): Promise<string[]> =>
  Object.values(JSON.parse(await readFile(tokenFile(human), "utf8")) as Body).map(
    (each) => (each as Body).token,
  );
const issuedTokens = async (human: Human): Promise<number> =>
  (await human.runJson(["audit", "--action", "token.issued"])).entries.length;

describe("a signed-in human without a saved key", () => {
  // [C-acts-signed-in]
  it("creates a handle, sends and reads in a row", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    expect(await human.runJson(["send", `@${slug}`, "hello"])).toMatchObject({ id: expect.any(String) });
    expect((await human.runJson(["inbox"])).wires).toMatchObject([{ text_body: "hello" }]);
    expect((await human.runJson(["whoami"])).handle.slug).toBe(slug);
    expect(await human.readProfile()).toMatchObject({ handle: slug });
    expect((await human.readProfile()).keys).toBeUndefined();
  });

  // [C-handle-token]
  it("gets one token for many commands, in a file that only its owner can read", async () => {
    const human = await signedIn();
    await newHandle(human);
    for (let n = 0; n < 3; n++) await human.runJson(["inbox"]);
    expect(await issuedTokens(human)).toBe(1);
    expect((await stat(tokenFile(human))).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(human.profilePath()))).toEqual(["default.json", "default.tokens"]);
    const { profiles } = await human.runJson(["whoami", "--all"]);
    expect(profiles).toHaveLength(1);
  });

  // [C-handle-token]
  it("gets another token before the saved one expires, and after it has ended", async () => {
    const human = await signedIn();
    await newHandle(human);
    await human.runJson(["inbox"]);
    const saved = JSON.parse(await readFile(tokenFile(human), "utf8")) as Record<string, Body>;
    const [name, first] = Object.entries(saved)[0]!;
    const soon = new Date(Date.now() + 30_000).toISOString();
    await writeFile(tokenFile(human), JSON.stringify({ [name]: { ...first, expires_at: soon } }));
    await human.runJson(["inbox"]);
    const [second] = await tokensOf(human);
    expect(second).not.toBe(first.token);
    const ended = `wt_${"x".repeat(43)}`;
    await writeFile(tokenFile(human), JSON.stringify({ [name]: { ...first, token: ended } }));
    await human.runJson(["inbox"]);
    expect(await tokensOf(human)).not.toEqual([ended]);
    await writeFile(tokenFile(human), "{damaged");
    await human.runJson(["inbox"]);
  });

  // [C-handle-token] [C-hook]
  it("gets another token for a hook if the daemon rejects the saved one", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    const { id } = await human.runJson(["send", `@${slug}`, "hello"]);
    const saved = JSON.parse(await readFile(tokenFile(human), "utf8")) as Record<string, Body>;
    const [name, first] = Object.entries(saved)[0]!;
    const ended = `wt_${"x".repeat(43)}`;
    await writeFile(tokenFile(human), JSON.stringify({ [name]: { ...first, token: ended } }));
    expect((await human.spawn(["hook"], { input: "" })).stdout).toContain(id);
    expect(await tokensOf(human)).not.toEqual([ended]);
  });

  // [C-handle-choice]
  it("acts as a handle of the new account after a login as another one", async () => {
    const [former, other] = [await signedIn(), await signedIn()];
    const [kept, handle] = [await newHandle(former), await newHandle(other)];
    const logIn = (email: string) =>
      former.runJson(["login", "--email", email], { env: { WIREROOM_PASSWORD: PASSWORD } });
    await logIn(former.email);
    expect(await former.readProfile()).toMatchObject({ handle: kept });
    await logIn(other.email);
    expect((await former.readProfile()).handle).toBeUndefined();
    await former.runJson(["inbox"]);
    expect(await former.readProfile()).toMatchObject({ handle });

    // A saved key works without the sign-in.
    await former.runJson(["key", "issue", handle, "--save"]);
    await logIn(former.email);
    expect(await former.readProfile()).toMatchObject({ handle });
  });

  // [C-handle-use]
  it("acts as another handle with --as, and chooses the active one with handle use", async () => {
    const human = await signedIn();
    const [one, two] = [await newHandle(human), await newHandle(human)];
    const sender = async (...flags: string[]) => {
      const { id } = await human.runJson([...flags, "send", `@${one}`, "hi"]);
      return (await human.runJson(["--as", one, "wire", "get", id])).sender;
    };
    expect(await sender()).toBe(one);
    expect(await sender("--as", two)).toBe(two);
    await human.runJson(["handle", "use", two]);
    expect(await sender()).toBe(two);
    const { code, stderr } = await human.run(["handle", "use", "not-mine"]);
    expect({ code, stderr }).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("you have no handle"),
    });
  });

  // [C-handle-choice]
  it("is asked to choose, if there are several handles and none is active", async () => {
    const human = await signedIn();
    const none = await human.run(["inbox"]);
    expect(none.stderr).toContain("wireroom handle create NAME");
    const slug = await newHandle(human);
    const forget = async () => {
      const { handle: _, ...profile } = await human.readProfile();
      await writeFile(human.profilePath(), JSON.stringify(profile));
    };
    await forget();
    await human.runJson(["inbox"]);
    expect(await human.readProfile()).toMatchObject({ handle: slug });
    await newHandle(human);
    await forget();
    const { code, stderr } = await human.run(["inbox"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`wireroom handle use @${slug}`);
  });

  // [C-handle-token]
  it("uses a saved key instead, if there is one", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    await human.runJson(["key", "issue", slug, "--save"]);
    await human.runJson(["inbox"]);
    expect(await issuedTokens(human)).toBe(0);
  });

  // [C-mcp-profile] [C-typed]
  it.each([
    ["mcp", ["mcp"]],
    ["watch", ["watch", "--once", "--reply", "--", "echo", "an answer"]],
    ["space work", ["space", "work", "--once", "--reply", "jobs", "--", "echo", "an answer"]],
  ])(
    "gives a key to %s, so that what it sends is held, and what the human sends is not",
    async (name, args) => {
      const [human, other] = [await signedIn(), await signedIn()];
      const [slug, asker] = [await newHandle(human), await newHandle(other)];
      const space = `jobs-${slug}`;
      const rule = '{"allow_text": true, "claimable": true}';
      await human.runJson(["space", "create", space, "--visibility", "public", "--root-rule", rule]);
      await other.runJson(["send", name === "space work" ? `#${space}` : `@${slug}`, "A question?"]);
      await human.runJson(["egress", "set", `@${slug}`, "--mode", "approval"]);
      const call = { name: "send_wire", arguments: { to: asker, text: "an answer" } };
      const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`;
      const words = args.map((word) => (word === "jobs" ? space : word));
      const { stderr } = await human.spawn(words, { input });
      expect(stderr).toContain(
        `issued a key of @${slug} for programs, and saved it in the profile default\n`,
      );
      const { keys, programKeys } = await human.readProfile();
      expect({ keys, programs: Object.keys(programKeys) }).toEqual({ keys: undefined, programs: [slug] });
      const { approvals } = await human.runJson(["approval", "list"]);
      expect(approvals).toMatchObject([{ status: "pending", wire: { origin: { sent_by: "agent" } } }]);
      const { id } = await human.runJson(["send", `@${asker}`, "from me"]);
      expect((await other.runJson(["wire", "show", id])).origin.sent_by).toBe("human");
    },
  );

  // [C-typed]
  it("sends as an agent below a watch, and in the shell of a coding agent, and gets a key only where it is needed", async () => {
    const [human, other] = [await signedIn(), await signedIn()];
    const [slug, asker] = [await newHandle(human), await newHandle(other)];
    const send = async (options: RunOptions, ...flags: string[]) => {
      const { id } = await human.runJson([...flags, "send", `@${asker}`, "hello"], options);
      return (await other.runJson(["wire", "show", id])).origin.sent_by;
    };
    const inShell = { env: { CLAUDECODE: "1" } };
    expect(await send({})).toBe("human");
    await human.runJson(["limits"], inShell);
    for (const words of [
      ["space", "work"],
      ["watch", "--space"],
    ])
      expect((await human.run([...words, "no-such-space", "--", "true"])).code).toBe(5);
    expect((await human.runJson(["key", "list"])).keys).toEqual([]);
    expect(await send({ env: { WIREROOM_ID: "019a" } })).toBe("agent");
    expect(await send(inShell)).toBe("agent");
    const call = ["call", "wires.send", "--to", asker, "--text", "hello"];
    const { id } = await human.runJson(call, inShell);
    expect((await other.runJson(["wire", "show", id])).origin.sent_by).toBe("agent");
    const { keys } = await human.runJson(["key", "list"]);
    expect(keys).toHaveLength(1);
    expect(await human.runJson(["whoami"])).toMatchObject({ keys: [], program_keys: [slug] });
    expect((await human.run(["whoami"])).stdout).toContain(`keys of programs\t@${slug} (`);
    const second = await newHandle(human);
    const together = Array.from({ length: 3 }, () => send(inShell, "--as", second));
    expect(await Promise.all(together)).toEqual(["agent", "agent", "agent"]);
    expect((await human.runJson(["key", "list"])).keys).toHaveLength(2);
    expect(await send({})).toBe("human");
  });

  // [C-mcp-profile]
  it("lets no program act by an ID token alone", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    const { signIn } = await human.readProfile();
    const env = {
      WIREROOM_ID_TOKEN: signIn.idToken,
      WIREROOM_HANDLE: slug,
      WIREROOM_CONFIG_DIR: join(human.folder, "empty"),
    };
    const { code, stderr } = await human.run(["watch", "--once", "--", "true"], { env });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining(`export WIREROOM_API_KEY=$(wireroom key issue @${slug})\n`),
    });
    expect((await human.runJson(["send", `@${slug}`, "hello"], { env })).id).toBeTruthy();
    expect((await human.runJson(["key", "list"])).keys).toEqual([]);
  });

  // [C-mcp-profile]
  it("revokes the keys of programs when it signs out or signs in as another, and issues none for one that was revoked", async () => {
    const [human, other] = [await signedIn(), await signedIn()];
    const slug = await newHandle(human);
    const watch = ["watch", "--once", "--", "true"];
    await human.run(watch);
    const [{ id, prefix }] = (await human.runJson(["key", "list"])).keys;
    expect((await human.run(["whoami"])).stdout).toContain(`@${slug} (${prefix})`);
    await human.runJson(["space", "create", slug, "--visibility", "public"]);
    await human.runJson(["call", "keys.revoke", "--id", id]);
    for (const words of [watch, ["watch", "--space", slug, "--", "true"]]) {
      const { code, stderr } = await human.run(words);
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: expect.stringContaining(`wireroom key revoke ${prefix}\n`),
      });
    }
    await human.runJson(["key", "revoke", prefix, "--yes"]);
    expect((await human.run(watch)).code).toBe(0);

    await human.run(["logout"]);
    expect(await human.readProfile()).not.toHaveProperty("programKeys");
    const logIn = ({ email }: Human) =>
      human.runJson(["login", "--email", email], { env: { WIREROOM_PASSWORD: PASSWORD } });
    await logIn(human);
    expect((await human.run(watch)).code).toBe(0);
    await logIn(other);
    expect(await human.readProfile()).not.toHaveProperty("programKeys");
    await logIn(human);
    const { keys } = await human.runJson(["key", "list", `@${slug}`]);
    expect(keys.map(({ revoked_at }: Body) => typeof revoked_at)).toEqual(["string", "string", "string"]);
  });

  // [C-handle-token-ends]
  it("cannot act after signing out, or as a suspended or retired handle", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    await human.runJson(["inbox"]);
    const operator = await signedIn();
    const olga = await newHandle(operator);
    await grantOperator(daemon, olga);
    await operator.runJson(["operator", "suspend", slug, "--yes"]);
    expect((await human.run(["inbox"])).code).toBe(4);
    await operator.runJson(["operator", "restore", slug]);
    await human.runJson(["inbox"]);

    await human.run(["logout"]);
    await expect(stat(tokenFile(human))).rejects.toThrow();
    expect(await human.readProfile()).not.toHaveProperty("handle");
    const { code, stderr } = await human.run(["inbox"]);
    expect(code).toBe(3);
    expect(stderr).toContain("wireroom login");

    const other = await newHandle(operator);
    await operator.runJson(["handle", "use", other]);
    await operator.runJson(["inbox"]);
    await operator.runJson(["handle", "retire", other, "--yes"]);
    expect(await operator.readProfile()).not.toHaveProperty("handle");
    expect((await operator.run(["inbox", "--as", other])).code).toBe(5);
  });
});

describe("wireroom connection", () => {
  // [C-connection-list] [C-connection-revoke]
  it("lists the clients that act for the human's handles, and revokes one after a question", async () => {
    const human = await signedIn();
    const slug = await newHandle(human);
    expect((await human.runJson(["connection", "list"])).connections).toEqual([]);
    const { id, token } = await addConnection(daemon, slug, "Evil\u001b[2J Host");
    const listed = await human.run(["connection", "list"]);
    expect(listed.stdout).toContain(`@${slug}`);
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain("\u001b[2J");
    expect((await human.run(["connection", "revoke", id])).code).toBe(10);
    expect((await daemon.client(token).get("/profile")).status).toBe(200);
    const unsure = await human.run(["connection", "revoke", id.slice(0, -1), "--yes"]);
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining(`to @${slug}: ${id}\n`)]);
    expect((await daemon.client(token).get("/profile")).status).toBe(200);
    const terminal = human.openTerminal(["connection", "revoke", id.slice(0, 8)], { columns: 130 });
    await terminal.waitFor(`to @${slug}? The client loses access at once. [y/N]`);
    terminal.press("y\r");
    expect(await terminal.exitCode).toBe(0);
    expect((await daemon.client(token).get("/profile")).status).toBe(401);
    expect((await human.run(["connection", "revoke", id, "--yes"])).stderr).toContain(
      "wireroom connection list",
    );
  });
});
