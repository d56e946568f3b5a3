import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { caller } from "../harness/mcp.js";
import { KEYS, Terminal } from "../harness/terminal.js";

const COMMAND = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const NAME = { name: "wireroom-tests", version: "1.0.0" };

const { daemon, alice } = await fileDaemon(["alice"], {});

function environment(): Record<string, string> {
  return { PATH: process.env.PATH!, WIREROOM_URL: daemon.base, WIREROOM_API_KEY: alice.key };
}

const server = () => ({ command: process.execPath, args: [COMMAND, "mcp"], env: environment() });

/** The command on its own, with its lines. */
function start(args: string[] = [], env: Record<string, string> = environment()) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [COMMAND, "mcp", ...args], { env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    write: (line: unknown) =>
      child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    /** Ends the input; gives the exit code. */
    end: () => {
      child.stdin.end();
      return exited;
    },
    answers: (): Body[] =>
      stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    complaints: () => stderr,
  };
}

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

describe("wireroom mcp", () => {
  it("serves the 1.x client [D8-mcp-stdio]", async () => {
    const client = new LegacyClient(NAME);
    await client.connect(new LegacyStdio(server()));
    expect((await client.listTools()).tools).toHaveLength(16);
    const sent = await caller(client).call("send_wire", { to: "@alice", text: "over \u2028 stdio" });
    const read = await caller(client).call("get_wire", { id: sent.body.id });
    expect(read.body).toMatchObject({ text_body: "over \u2028 stdio" });
    expect(await caller(client).call("get_wire", { id: "none" })).toMatchObject({ isError: true });
    await client.close();
  });

  it("serves the 2.x client, which speaks 2026-07-28 through it [D8-mcp-stdio] [D8-mcp-versions]", async () => {
    const client = new ModernClient(NAME, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernStdio(server()));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await client.listTools()).tools).toHaveLength(16);
    expect((await caller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await client.close();
  });

  it("goes on after a restart of the daemon [D8-mcp-stdio] [D8-mcp-stateless]", async () => {
    const client = new LegacyClient(NAME);
    await client.connect(new LegacyStdio(server()));
    expect((await caller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await daemon.restart();
    expect((await caller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await client.close();
  });

  it("answers what was asked before its input ends, and exits with 0 [D8-mcp-stdio]", async () => {
    const host = start();
    for (const id of [1, 2, 3]) host.write(ping(id));
    expect(await host.end()).toBe(0);
    expect(
      host
        .answers()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3]);
    expect(host.complaints()).toBe("");
  });

  it("gives up a request that the host cancels [D8-mcp-stdio]", async () => {
    const host = start();
    const call = { name: "read_inbox", arguments: { wait: 60, limit: 1 } };
    const { body } = await alice.get("/inbox");
    await alice.get(`/inbox?cursor=${encodeURIComponent(body.next_cursor)}`);
    host.write({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call });
    host.write(ping(8));
    await expect.poll(() => host.answers().map(({ id }) => id), { timeout: 20_000 }).toEqual([8]);
    host.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    expect(await host.end()).toBe(0);
    expect(host.answers()).toHaveLength(1);
  });

  it("answers a line that is no message with a parse error, and goes on [D8-mcp-stdio]", async () => {
    const host = start();
    host.write("nonsense");
    host.write('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}');
    host.write(ping(3));
    expect(await host.end()).toBe(0);
    const answers = host.answers();
    expect(answers).toHaveLength(3);
    expect(answers.filter(({ error }) => error?.code === -32700)).toHaveLength(2);
  });

  it("acts with the key and at the url of the profile, for the handle that is named [C-mcp-profile]", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-mcp-profile-"));
    const profile = { url: daemon.base, handle: "alice", keys: { alice: alice.key, bob: "wr_of-bob" } };
    await mkdir(join(folder, "profiles"));
    await writeFile(join(folder, "profiles", "work.json"), JSON.stringify(profile), { mode: 0o600 });
    const env = { PATH: process.env.PATH!, WIREROOM_CONFIG_DIR: folder };
    const host = start(["--profile", "work"], env);
    const call = { name: "update_profile", arguments: {} };
    host.write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    expect(await host.end()).toBe(0);
    expect(host.answers()).toMatchObject([{ id: 1, result: { structuredContent: { slug: "alice" } } }]);

    // The profile's key goes to the profile's daemon alone.
    const elsewhere = start(["--profile", "work", "--url", "http://127.0.0.1:9/v1"], env);
    expect(await elsewhere.end()).toBe(3);
    expect(elsewhere.complaints()).toContain("not sent to http://127.0.0.1:9");
    const unknown = start(["--profile", "work", "--as", "carol"], env);
    expect(await unknown.end()).toBe(3);
    expect(unknown.complaints()).toContain("no API key of @carol");
    await rm(folder, { recursive: true });
  });

  it("says to a person what it is for [D8-mcp-stdio]", async () => {
    const terminal = Terminal.wireroom(["mcp"], { env: environment() });
    await terminal.waitFor("to a host that starts it");
    terminal.press(KEYS.interrupt);
    expect(await terminal.ended).toBe(130);
  });

  it("says on standard error what is wrong with the key or the address, and ends as any other command does [D8-mcp-stdio] [C-errors-exit]", async () => {
    const { WIREROOM_API_KEY: _, ...keyless } = environment();
    const none = start([], keyless);
    expect(await none.end()).toBe(3);
    expect(none.complaints()).toContain("WIREROOM_API_KEY");

    const nonsense = start([], { ...environment(), WIREROOM_API_KEY: "no key" });
    expect(await nonsense.end()).toBe(3);
    expect(nonsense.complaints()).toContain("this is no API key");

    const wrong = start([], { ...environment(), WIREROOM_API_KEY: `wr_${"a".repeat(43)}` });
    wrong.write(ping(1));
    expect(await wrong.end()).toBe(0);
    expect(wrong.complaints()).toContain("the API key is missing or invalid");
    expect(wrong.answers()).toMatchObject([{ id: 1, error: { data: { code: "UNAUTHORIZED" } } }]);

    const nowhere = start(["--url", "http://127.0.0.1:9/v1"]);
    nowhere.write(ping(1));
    expect(await nowhere.end()).toBe(0);
    expect(nowhere.complaints()).toContain("is the daemon running");
    expect(nowhere.answers()).toMatchObject([
      { id: 1, error: { message: expect.stringContaining("127.0.0.1:9") } },
    ]);

    const address = start(["--url", "nonsense"]);
    expect(await address.end()).toBe(2);
    expect(address.complaints()).toContain("--url");
  });
});
