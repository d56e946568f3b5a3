import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/generate/mcp.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { mcpUrl, modernMessage, postJsonRpc, postModern, postToMcp } from "../harness/mcp.js";

const { daemon, alice } = await hostedFixture(["alice"]);

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

function initialize(protocolVersion: string) {
  return { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
}

describe("the versions of the protocol", () => {
  // [D8-mcp-versions]
  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
    "include %s",
    async (version) => {
      const { body } = await postJsonRpc(daemon, alice.key, "initialize", initialize(version));
      expect(body.result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: "wireroom" },
        capabilities: { tools: {} },
      });
      const headers = { "mcp-protocol-version": version };
      const list = await postToMcp(
        daemon,
        alice.key,
        { jsonrpc: "2.0", id: 1, method: "tools/list" },
        headers,
      );
      expect(list.body.result.tools).toHaveLength(toolDefinitions.length);
      const batch = await postToMcp(daemon, alice.key, [PING, { ...PING, id: 2 }], headers);
      expect(batch).toMatchObject({ status: 200, body: [{ result: {} }, { result: {} }] });
    },
  );

  // [D8-mcp-versions]
  it.each(["1999-01-01", "2099-01-01", "nonsense"])(
    "exclude %s, which negotiates a supported one",
    async (version) => {
      const { body } = await postJsonRpc(daemon, alice.key, "initialize", initialize(version));
      expect(body.result.protocolVersion).toBe("2025-11-25");
      const reply = await postToMcp(daemon, alice.key, PING, { "mcp-protocol-version": "1999-01-01" });
      expect(reply.status).toBe(400);
    },
  );

  // [D8-mcp-transport]
  it.each([
    [undefined, "params must be a JSON object"],
    [{ protocolVersion: 5 }, "params.protocolVersion must be a string"],
    [{ protocolVersion: "2025-11-25" }, "params.capabilities must be a JSON object"],
    [
      { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: 1 } },
      "params.clientInfo.version must be a string",
    ],
    [
      { protocolVersion: "2025-11-25", capabilities: { roots: [] }, clientInfo: { name: "x", version: "1" } },
      "params.capabilities.roots must be a JSON object",
    ],
  ])("are not negotiated with the params %j, but answered with -32602", async (params, message) => {
    const expected = { id: 1, error: { code: -32602, message } };
    const reply = await postJsonRpc(daemon, alice.key, "initialize", params);
    expect(reply).toMatchObject({ status: 200, body: expected });
    const request = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const batch = await postToMcp(daemon, alice.key, [request, { ...PING, id: 2 }]);
    expect(batch).toMatchObject({ status: 200, body: [expected, { id: 2, result: {} }] });
  });

  // [D8-mcp-versions]
  it("are all listed in the error for a header with another one", async () => {
    for (const [version, message] of [
      ["1999-01-01", PING],
      ["2099-01-01", [PING]],
    ] as const) {
      const { status, body } = await postToMcp(daemon, alice.key, message, {
        "mcp-protocol-version": version,
      });
      expect(status).toBe(400);
      const listed = /versions: ([\d, -]+)/.exec(body.error.message)![1]!.split(", ");
      expect(listed).toEqual([
        "2026-07-28",
        "2025-11-25",
        "2025-06-18",
        "2025-03-26",
        "2024-11-05",
        "2024-10-07",
      ]);
    }
  });

  // [D8-mcp-versions]
  it.each([[[PING]], [{ jsonrpc: "2.0", id: 1, result: {} }]])(
    "are not named as the problem of %j under 2026-07-28",
    async (message) => {
      const headers = { "mcp-protocol-version": "2026-07-28" };
      const { status, body } = await postToMcp(daemon, alice.key, message, headers);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: -32600, message: expect.stringContaining("batch") });
    },
  );

  // [D8-mcp-versions]
  it("include 2026-07-28, which needs no handshake", async () => {
    const list = await postModern(daemon, alice.key, "tools/list");
    expect(list.status).toBe(200);
    expect(list.body.result.tools).toHaveLength(toolDefinitions.length);
    const { headers, body } = modernMessage("tools/list");
    const batch = await postToMcp(daemon, alice.key, [body], headers);
    expect(batch).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
    const found = await postModern(daemon, alice.key, "server/discover");
    expect(found.body.result).toMatchObject({
      // Older versions begin with `initialize`, so no request could name one of them in its metadata.
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    });
  });

  // [D8-mcp-versions]
  it("are listed in the error for an unsupported version", async () => {
    const { status, body } = await postModern(daemon, alice.key, "tools/list", {}, "2099-01-01");
    expect(status).toBe(400);
    expect(body.error.data.supported).toContain("2026-07-28");
  });
});

describe("protocol revision 2026-07-28", () => {
  // [D8-mcp-transport]
  it.each(["unknown/method", "ping", "initialize", "logging/setLevel", "resources/subscribe"])(
    "answers %s with 404 and -32601",
    async (method) => {
      const { status, body } = await postModern(daemon, alice.key, method, {}, "2026-07-28", 9);
      expect(status).toBe(404);
      expect(body).toMatchObject({ id: 9, error: { code: -32601 } });
    },
  );

  // [D8-mcp-no-push]
  it("acknowledges nothing of a subscription, and ends it", async () => {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["wireroom://inbox"],
    };
    const message = modernMessage("subscriptions/listen", { notifications }, "2026-07-28", 7);
    const response = await fetch(mcpUrl(daemon), {
      method: "POST",
      headers: { ...message.headers, authorization: `Bearer ${alice.key}` },
      body: JSON.stringify(message.body),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = (await response.text()).split("\n\n").filter(Boolean);
    const [acknowledged, ended] = events.map((event) => JSON.parse(event.split("data: ")[1]!));
    expect(events).toHaveLength(2);
    const _meta = { "io.modelcontextprotocol/subscriptionId": 7 };
    expect(acknowledged).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {}, _meta },
    });
    expect(acknowledged.params.notifications).toEqual({});
    expect(ended).toMatchObject({ id: 7, result: { resultType: "complete", _meta } });
  });

  // [D8-mcp-no-push]
  it("rejects a subscription without a filter", async () => {
    const { body } = await postModern(daemon, alice.key, "subscriptions/listen");
    expect(body.error).toMatchObject({ code: -32602 });
  });
});
