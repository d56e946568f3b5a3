import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/generate/mcp.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { modernMessage, sdkToolCaller } from "../harness/mcp.js";
import { KEYS, Terminal } from "../harness/terminal.js";

const COMMAND = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const NAME = { name: "wireroom-tests", version: "1.0.0" };

const { daemon, alice } = await hostedFixture(["alice"], {});

function environment(): Record<string, string> {
  return { PATH: process.env.PATH!, WIREROOM_URL: daemon.base, WIREROOM_API_KEY: alice.key };
}

const server = () => ({ command: process.execPath, args: [COMMAND, "mcp"], env: environment() });

/** Starts the command. Returns functions to write, read and close its streams. */
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
    /** Closes standard input. Returns the exit code. */
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
const readInbox = (id: number, wait: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "read_inbox", arguments: { wait, limit: 1 } },
});
const cancelled = (requestId?: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

/** Moves the checkpoint to the end of the inbox, so that a call with `wait` is held. */
async function readAll(): Promise<void> {
  const { body } = await alice.get("/inbox");
  await alice.get(`/inbox?cursor=${encodeURIComponent(body.next_cursor)}`);
}

describe("wireroom mcp", () => {
  // [D8-mcp-stdio]
  it("serves a client of SDK 1.x", async () => {
    const client = new LegacyClient(NAME);
    await client.connect(new LegacyStdio(server()));
    expect((await client.listTools()).tools).toHaveLength(toolDefinitions.length);
    const sent = await sdkToolCaller(client).call("send_wire", { to: "@alice", text: "over \u2028 stdio" });
    const read = await sdkToolCaller(client).call("get_wire", { id: sent.body.id });
    expect(read.body).toMatchObject({ text_body: "over \u2028 stdio" });
    expect(await sdkToolCaller(client).call("get_wire", { id: "none" })).toMatchObject({ isError: true });
    await client.close();
  });

  // [D8-mcp-stdio]
  it("forwards a message of an event stream with a line separator of Unicode", async () => {
    const host = start();
    await readAll();
    const held = readInbox(1, 20);
    host.write({ ...held, params: { ...held.params, _meta: { progressToken: "p" } } });
    await sleep(500);
    await alice.post("/wires", { to: "@alice", text: "held \u2028 back" });
    await expect
      .poll(() => JSON.stringify(host.answers()), { timeout: 20_000 })
      .toContain("held \u2028 back");
    expect(await host.end()).toBe(0);
  });

  // [D8-mcp-stdio] [D8-mcp-versions]
  it("serves a client of SDK 2.x with protocol 2026-07-28", async () => {
    const client = new ModernClient(NAME, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernStdio(server()));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await client.listTools()).tools).toHaveLength(toolDefinitions.length);
    expect((await sdkToolCaller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await client.close();
  });

  // [D8-mcp-stdio] [D8-mcp-stateless]
  it("continues after a restart of the daemon", async () => {
    const client = new LegacyClient(NAME);
    await client.connect(new LegacyStdio(server()));
    expect((await sdkToolCaller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await daemon.restart();
    expect((await sdkToolCaller(client).call("update_profile")).body).toMatchObject({ slug: "alice" });
    await client.close();
  });

  // [D8-mcp-stdio]
  it("completes pending requests after its input ends, and exits with 0", async () => {
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

  // [D8-mcp-stdio]
  it("aborts a request that the host cancels", async () => {
    const host = start();
    await readAll();
    host.write(readInbox(7, 60));
    host.write(ping(8));
    await expect.poll(() => host.answers().map(({ id }) => id), { timeout: 20_000 }).toEqual([8]);
    host.write(cancelled(7));
    expect(await host.end()).toBe(0);
    expect(host.answers()).toHaveLength(1);
  });

  // [D8-mcp-stdio]
  it("aborts a request that the host cancels in a batch, and a batch whose requests are all cancelled", async () => {
    const host = start();
    await readAll();
    host.write(readInbox(7, 60));
    host.write([readInbox(8, 60), readInbox(9, 60)]);
    host.write(ping(10));
    await expect.poll(() => host.answers().map(({ id }) => id), { timeout: 20_000 }).toEqual([10]);
    host.write([cancelled(7), ping(11)]);
    host.write([cancelled(8), cancelled(9)]);
    expect(await host.end()).toBe(0);
    expect(host.answers()).toMatchObject([{ id: 10 }, [{ id: 11 }]]);
    expect(host.complaints()).toBe("");
  });

  // [D8-mcp-stdio]
  it("does not send a request that is cancelled before the response to `initialize`", async () => {
    const host = start();
    await readAll();
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: NAME };
    host.write({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    host.write(readInbox(2, 60));
    host.write(cancelled(2));
    expect(await host.end()).toBe(0);
    expect(host.answers().map(({ id }) => id)).toEqual([1]);
  });

  // [D8-mcp-stdio]
  it("ignores a cancellation that names no request", async () => {
    const host = start();
    await readAll();
    host.write([readInbox(7, 2), ping(8)]);
    host.write(cancelled());
    expect(await host.end()).toBe(0);
    expect(host.answers()).toMatchObject([[{ id: 7 }, { id: 8 }]]);
  });

  // [D8-mcp-stdio]
  it("writes nothing for a batch of notifications", async () => {
    const host = start();
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    host.write([initialized, initialized]);
    expect(await host.end()).toBe(0);
    expect(host.answers()).toEqual([]);
    expect(host.complaints()).toBe("");
  });

  // [D8-mcp-stdio] [D8-mcp-no-push]
  it("forwards the acknowledgement and the end of a subscription", async () => {
    const bridge = start();
    const params = { notifications: { toolsListChanged: true } };
    bridge.write(modernMessage("subscriptions/listen", params, "2026-07-28", 5).body);
    expect(await bridge.end()).toBe(0);
    expect(bridge.answers()).toMatchObject([
      { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
      { id: 5, result: { resultType: "complete" } },
    ]);
  });

  // [D8-mcp-stdio]
  it("answers a request whose event stream ends before the response", async () => {
    const params = { progressToken: 1, progress: 1 };
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params };
    const proxy = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(progress)}\n\n`);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const { write, end, answers } = start([], { ...environment(), WIREROOM_URL: `http://127.0.0.1:${port}` });
    write(readInbox(7, 0));
    expect(await end()).toBe(0);
    const message = "the connection ended before the response";
    expect(answers()).toMatchObject([progress, { id: 7, error: { message } }]);
    proxy.close();
  });

  // [D8-mcp-stdio]
  it("responds to an invalid line with a parse error, and continues", async () => {
    const host = start();
    host.write("nonsense");
    host.write('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}');
    host.write(ping(3));
    expect(await host.end()).toBe(0);
    const answers = host.answers();
    expect(answers).toHaveLength(3);
    expect(answers.filter(({ error }) => error?.code === -32700)).toHaveLength(2);
  });

  // [C-mcp-profile]
  it("uses the key and the URL of the profile, for the selected handle", async () => {
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

    // The key of a profile is sent only to the daemon of the profile.
    const elsewhere = start(["--profile", "work"], { ...env, WIREROOM_URL: "http://127.0.0.1:9/v1" });
    expect(await elsewhere.end()).toBe(3);
    expect(elsewhere.complaints()).toContain("cannot be used at http://127.0.0.1:9");
    expect(elsewhere.complaints()).toContain(`To use ${profile.url}: unset WIREROOM_URL`);
    const unknown = start(["--profile", "work", "--as", "carol"], env);
    expect(await unknown.end()).toBe(3);
    expect(unknown.complaints()).toContain("no API key of @carol");
    await rm(folder, { recursive: true });
  });

  // [D8-mcp-stdio]
  it("explains its purpose on a terminal", async () => {
    const terminal = Terminal.wireroom(["mcp"], { env: environment() });
    await terminal.waitFor("to be started by an MCP host");
    terminal.press(KEYS.interrupt);
    expect(await terminal.exitCode).toBe(130);
  });

  // [D8-mcp-stdio] [C-errors-exit]
  it("reports an invalid key or address on standard error, and exits like other commands", async () => {
    const { WIREROOM_API_KEY: _, ...keyless } = environment();
    const none = start([], keyless);
    expect(await none.end()).toBe(3);
    expect(none.complaints()).toContain("WIREROOM_API_KEY");

    const nonsense = start([], { ...environment(), WIREROOM_API_KEY: "no key" });
    expect(await nonsense.end()).toBe(3);
    expect(nonsense.complaints()).toContain("is not an API key");

    const wrong = start([], { ...environment(), WIREROOM_API_KEY: `wr_${"a".repeat(43)}` });
    wrong.write(ping(1));
    expect(await wrong.end()).toBe(0);
    expect(wrong.complaints()).toContain("the API key or access token is missing or invalid");
    expect(wrong.answers()).toMatchObject([{ id: 1, error: { data: { code: "UNAUTHORIZED" } } }]);

    const nowhere = start(["--url", "http://127.0.0.1:9/v1"]);
    nowhere.write(ping(1));
    expect(await nowhere.end()).toBe(0);
    expect(nowhere.complaints()).toContain("check that the daemon runs");
    expect(nowhere.answers()).toMatchObject([
      { id: 1, error: { message: expect.stringContaining("127.0.0.1:9") } },
    ]);

    const address = start(["--url", "nonsense"]);
    expect(await address.end()).toBe(2);
    expect(address.complaints()).toContain("--url");
  });
});
