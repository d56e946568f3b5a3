import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { toolDefinitions, UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import { runConformance } from "../harness/conformance.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { legacyClient, mcpUrl, modernClient, sdkToolCaller } from "../harness/mcp.js";

const run = promisify(execFile);
const modules = join(import.meta.dirname, "../node_modules");

const { daemon, alice } = await hostedFixture(["alice"], {});

const clients = {
  "the 1.x client": () => legacyClient(daemon, alice),
  "the 2.x client, which finds the newest protocol": () => modernClient(daemon, alice),
  "the 2.x client, pinned to 2026-07-28": () => modernClient(daemon, alice, { pin: "2026-07-28" }),
};

describe.each(Object.entries(clients))("%s", (_, connect) => {
  // [D8-mcp-clients]
  it("lists the tools and calls them, including errors", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(toolDefinitions.length);
    expect(client.getInstructions()).toContain("Wireroom");
    const tool = sdkToolCaller(client);
    const sent = await tool.call("send_wire", { to: "@alice", text: "a note" });
    expect(sent).toMatchObject({ isError: false, body: { id: expect.any(String) } });
    const read = await tool.call("get_wire", { id: sent.body.id });
    expect(read.body).toMatchObject({ text_body: "a note" });
    expect(read.texts[0]).toBe(UNTRUSTED_CONTENT_NOTICE);
    // The client validates structured content against the output schema, also for errors.
    const missing = await tool.call("get_wire", { id: "nothing" });
    expect(missing).toMatchObject({ isError: true, body: { code: "NOT_FOUND" } });
    await client.close();
  });

  // [D8-mcp-stateless]
  it("continues after a restart of the daemon without a new handshake", async () => {
    const client = await connect();
    const sent = await sdkToolCaller(client).call("send_wire", { to: "@alice", text: "before" });
    await daemon.restart();
    const read = await sdkToolCaller(client).call("get_wire", { id: sent.body.id });
    expect(read.body).toMatchObject({ text_body: "before" });
    await client.close();
  });
});

// [D8-mcp-versions]
it("negotiates with each client the newest version that both support", async () => {
  const modern = await modernClient(daemon, alice);
  expect(modern.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  await modern.close();
});

// [D8-mcp-unauthorized]
it("returns 401 to a client without a key", async () => {
  await expect(legacyClient(daemon, { ...alice, key: "wrong" })).rejects.toThrow();
  await expect(modernClient(daemon, { ...alice, key: "wrong" })).rejects.toThrow();
});

describe("the MCP Inspector", () => {
  const inspect = async (...args: string[]) => {
    const folder = join(modules, "@modelcontextprotocol/inspector-cli/build");
    const command = join(folder, "cli.js");
    const target = ["--cli", mcpUrl(daemon).href, "--transport", "http"];
    const header = ["--header", `Authorization: Bearer ${alice.key}`];
    const { stdout } = await run(process.execPath, [command, ...target, ...args, ...header], {
      // The Inspector searches for its package.json from this folder.
      cwd: folder,
    });
    return JSON.parse(stdout);
  };

  // [D8-mcp-clients]
  it("lists and calls the tools", async () => {
    expect((await inspect("--method", "tools/list")).tools).toHaveLength(toolDefinitions.length);
    const call = ["--method", "tools/call", "--tool-name", "send_wire"];
    const sent = await inspect(...call, "--tool-arg", "to=@alice", "--tool-arg", "text=inspected");
    expect(sent.structuredContent).toMatchObject({ id: expect.any(String) });
  });
});

// [D8-mcp-conformance]
it("passes the scenario of the MCP conformance suite that reads every list", async () => {
  const output = await runConformance("conformance-alpha", daemon, alice, ["--scenario", "caching"]);
  expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});
