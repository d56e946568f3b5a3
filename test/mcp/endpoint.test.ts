import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { hold } from "../harness/held-requests.js";
import { jsonRpcToolCaller, mcpUrl, modernMessage, postJsonRpc, postToMcp } from "../harness/mcp.js";
import { sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"], {
  args: ["--public-url", "https://wireroom.example.com"],
});

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

const toolCall = (id: number | string, name: string, args: object, _meta?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, ...(_meta && { _meta }) },
});

/** Sends a request with these Host and Origin headers, which fetch does not allow. */
function withHeaders(headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const url = mcpUrl(daemon);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${alice.key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      },
      (response) => {
        let body = "";
        response.on("data", (chunk) => (body += chunk));
        response.on("end", () => resolve({ status: response.statusCode!, body }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(PING));
  });
}

describe("authentication of the MCP endpoint", () => {
  // [S1-mcp-same-key] [D8-mcp-unauthorized]
  it.each([
    ["without a key", undefined],
    ["with an unknown key", `wr_${"a".repeat(43)}`],
    ["with what is no key", "nonsense"],
  ])("returns 401 with the envelope %s", async (_, key) => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const reply = await postToMcp(daemon, key, method === "POST" ? PING : undefined, {}, method);
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({ code: "UNAUTHORIZED", message: expect.any(String) });
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  // [D8-mcp-unauthorized]
  it("is checked before any other part of the request", async () => {
    const reply = await postToMcp(daemon, undefined, "{", {
      "content-type": "text/plain",
      accept: "text/html",
    });
    expect(reply.status).toBe(401);
  });

  // [S1-mcp-same-key]
  it("rejects a revoked key at once, and rejects an ID token", async () => {
    const gone = await daemon.createAgent("gone");
    expect((await postToMcp(daemon, gone.key, PING)).status).toBe(200);
    await gone.owner.delete(`/keys/${gone.keyId}`);
    expect((await postToMcp(daemon, gone.key, PING)).status).toBe(401);
    const token = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
    expect((await postToMcp(daemon, token, PING)).status).toBe(401);
  });

  // [D8-mcp-unauthorized]
  it.each([
    ["plain", { body: toolCall(1, "read_inbox", { wait: 30 }), headers: {} }],
    ["with metadata", { body: toolCall(1, "read_inbox", { wait: 30 }, {}), headers: {} }],
    ["with progress", { body: toolCall(1, "read_inbox", { wait: 30 }, { progressToken: "p" }), headers: {} }],
    ["of revision 2026-07-28", modernMessage("tools/call", { name: "read_inbox", arguments: { wait: 30 } })],
  ])("returns 401 when the key is revoked during a held call, %s", async (kind, call) => {
    const gone = await daemon.createAgent(`gone-${kind.replaceAll(/\W+/g, "-")}`);
    const held = await hold(daemon, () => postToMcp(daemon, gone.key, call.body, call.headers));
    await gone.owner.delete(`/keys/${gone.keyId}`);
    const reply = await held();
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: "UNAUTHORIZED", message: expect.any(String) });
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  });

  // [D8-mcp-unauthorized]
  it("returns 401 for a wire that was sent only if it has an idempotency key, because clients repeat the call", async () => {
    const question = { to: "@alice", text: "?", wait_for_reply: 30 };
    for (const [slug, key, status] of [
      ["gone-asking", {}, 200],
      ["gone-asking-once", { idempotency_key: "once" }, 401],
    ] as const) {
      const gone = await daemon.createAgent(slug);
      const held = await hold(daemon, () =>
        postToMcp(daemon, gone.key, toolCall(1, "send_wire", { ...question, ...key })),
      );
      await gone.owner.delete(`/keys/${gone.keyId}`);
      const reply = await held();
      expect(reply.status).toBe(status);
      const envelope = status === 401 ? reply.body : reply.body.result.structuredContent;
      expect(envelope.code).toBe("UNAUTHORIZED");
    }
  });

  // [D8-mcp-error-result]
  it("returns the results of a batch whose key is revoked during one of its calls", async () => {
    const gone = await daemon.createAgent("gone-batch");
    const calls = [toolCall(1, "update_profile", {}), toolCall(2, "read_inbox", { wait: 30 })];
    const held = await hold(daemon, () => postToMcp(daemon, gone.key, calls));
    await gone.owner.delete(`/keys/${gone.keyId}`);
    const reply = await held();
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([
      { id: 1, result: { structuredContent: { slug: "gone-batch" } } },
      { id: 2, result: { isError: true, structuredContent: { code: "UNAUTHORIZED" } } },
    ]);
  });
});

describe("protection against DNS rebinding", () => {
  // [D8-mcp-dns-rebinding]
  it.each(["evil.example.com", "evil.example.com:4747", "localhost.evil.example.com"])(
    "rejects the Host header %j",
    async (host) => {
      const reply = await withHeaders({ host });
      expect(reply.status).toBe(403);
      expect(JSON.parse(reply.body)).toMatchObject({ code: "FORBIDDEN" });
    },
  );

  // [D8-mcp-dns-rebinding]
  it.each([
    "http://evil.example.com",
    "https://wireroom.example.com:444",
    "http://wireroom.example.com",
    "https://wireroom.example.com/path",
    "https://wireroom.example.com/",
    "blob:https://wireroom.example.com/x",
    "ftp://127.0.0.1",
    "http://127.1",
    "chrome-extension://localhost",
    "null",
  ])("rejects the Origin header %j", async (origin) => {
    const reply = await withHeaders({ origin });
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.body)).toMatchObject({ code: "FORBIDDEN" });
  });

  // [D8-mcp-dns-rebinding]
  it.each([
    { host: "localhost" },
    { host: "LOCALHOST:1234" },
    { host: "[::1]:4747" },
    { host: "wireroom.example.com" },
    { origin: "http://localhost:6274" },
    { origin: "https://wireroom.example.com" },
    { host: "wireroom.example.com", origin: "https://wireroom.example.com" },
  ] as Record<string, string>[])("accepts %j", async (headers) => {
    expect((await withHeaders(headers)).status).toBe(200);
  });
});

describe("the MCP transport", () => {
  // [D8-mcp-stateless]
  it("has no sessions: GET and DELETE return 405, and no response has a session id", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const reply = await postToMcp(daemon, alice.key, undefined, {}, method);
      expect(reply.status).toBe(405);
      expect(reply.headers.get("allow")).toBe("POST");
      expect(reply.body).toMatchObject({ jsonrpc: "2.0", id: null, error: { message: expect.any(String) } });
    }
    const reply = await postJsonRpc(daemon, alice.key, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    expect(reply.headers.get("mcp-session-id")).toBeNull();
    expect((await postJsonRpc(daemon, alice.key, "tools/list", {})).status).toBe(200);
  });

  // [D8-mcp-transport]
  it.each(["/mcp/", "/mcp?utm_source=plugin", "/mcp/?x"])("is the same at %s", async (path) => {
    const call = (headers: Record<string, string>) =>
      fetch(`${daemon.origin}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(PING),
      });
    expect(await (await call({ authorization: `Bearer ${alice.key}` })).json()).toMatchObject({ result: {} });
    expect((await call({})).status).toBe(401);
    expect((await fetch(`${daemon.origin}/mcp/x`)).status).toBe(404);
  });

  // [D8-mcp-stateless]
  it("returns JSON with a request id", async () => {
    const reply = await postToMcp(daemon, alice.key, PING);
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(reply.body).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  // [D8-mcp-transport]
  it("returns JSON whatever the Accept header says, and 415 for an unsupported content type", async () => {
    const modern = modernMessage("tools/list");
    for (const accept of ["text/html", "text/event-stream", "application/json;q=0, text/event-stream"]) {
      for (const { headers, body } of [{ headers: {}, body: PING }, modern]) {
        const reply = await postToMcp(daemon, alice.key, body, { ...headers, accept });
        expect(reply).toMatchObject({ status: 200, body: { result: expect.any(Object) } });
      }
    }
    for (const type of ["text/plain", "application/jsonp", "application/json; charset=utf-16"])
      expect((await postToMcp(daemon, alice.key, PING, { "content-type": type })).status).toBe(415);
  });

  // [D8-mcp-transport]
  it.each([
    undefined,
    "*/*",
    "application/json",
    "application/*, text/*",
    "text/html;q=0.9, APPLICATION/JSON;q=0.5",
  ])("accepts the Accept header %j, on the fast path and beside it", async (accept) => {
    for (const message of [PING, toolCall(1, "update_profile", {}), toolCall(1, "update_profile", {}, {})]) {
      const body = JSON.stringify(message);
      const head = [
        "POST /mcp HTTP/1.1",
        "Host: localhost",
        `Authorization: Bearer ${alice.key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        ...(accept === undefined ? [] : [`Accept: ${accept}`]),
      ];
      const reply = await sendRawRequest(daemon.origin, `${head.join("\r\n")}\r\n\r\n${body}`);
      expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('"result"') });
    }
  });

  // [D8-mcp-transport] [D14-mcp-progress]
  it("responds with JSON to a client that does not accept an event stream", async () => {
    const call = toolCall(1, "read_inbox", { wait: 1 }, { progressToken: "p" });
    const modern = modernMessage("tools/call", call.params);
    Object.assign(modern.body.params._meta, { progressToken: "p" });
    for (const { headers, body } of [{ headers: {}, body: call }, modern]) {
      const reply = await postToMcp(daemon, alice.key, body, { ...headers, accept: "application/json" });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toContain("application/json");
      expect(reply.body.result.structuredContent.wires).toEqual(expect.any(Array));
    }
  });

  // [D8-mcp-transport]
  it("judges content types as REST does", async () => {
    for (const type of ["Application/JSON; charset=utf8", "application/json;v=1", "application/json;"])
      expect((await postToMcp(daemon, alice.key, PING, { "content-type": type })).status).toBe(200);
  });

  // [D8-mcp-transport]
  it("accepts notifications with 202 and no body", async () => {
    const reply = await postToMcp(daemon, alice.key, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect(reply).toMatchObject({ status: 202, body: undefined });
  });

  // [D8-mcp-versions]
  it("processes a batch of protocol 2025-03-26, also if a part of it is cancelled", async () => {
    const list = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "read_inbox", arguments: {} },
    });
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    const reply = await postToMcp(daemon, alice.key, [list(1), list(2), cancelled]);
    expect(reply.body.map(({ id }: { id: number }) => id).sort()).toEqual([1, 2]);
  });

  // [D8-mcp-versions]
  it("returns an array for a batch of one request", async () => {
    expect(await postToMcp(daemon, alice.key, [PING])).toMatchObject({
      status: 200,
      body: [{ jsonrpc: "2.0", id: 1, result: {} }],
    });
    const unknown = { ...PING, method: "logging/setLevel" };
    expect((await postToMcp(daemon, alice.key, [unknown])).body).toMatchObject([{ error: { code: -32601 } }]);
  });

  // [D8-mcp-transport]
  it("returns 400 for a batch with two requests of one id, and executes neither", async () => {
    const send = (text: string) => toolCall(7, "send_wire", { to: "@alice", text });
    const reply = await postToMcp(daemon, alice.key, [send("one of two"), PING, send("two of two")]);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      error: {
        data: { code: "VALIDATION_ERROR", errors: [{ instancePath: "/2/id", keyword: "uniqueItems" }] },
      },
    });
    const behindSpaces = `${" ".repeat(100)}${JSON.stringify([send("one of two"), send("two of two")])}`;
    expect((await postToMcp(daemon, alice.key, behindSpaces)).status).toBe(400);
    const { body } = await alice.get("/sent");
    expect(JSON.stringify(body)).not.toContain("of two");
    const different = [PING, { ...PING, id: "1" }];
    expect((await postToMcp(daemon, alice.key, different)).body).toHaveLength(2);
  });

  // [D8-mcp-transport]
  it("accepts a batch of cancellations alone with 202 and no body", async () => {
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    for (const batch of [[cancelled], [cancelled, cancelled]])
      expect(await postToMcp(daemon, alice.key, batch)).toMatchObject({ status: 202, body: undefined });
  });

  // [D8-mcp-strict-json]
  it.each([
    ["no JSON", "{", 400],
    ["an empty body", "", 400],
    ["no JSON-RPC", '{"hello":1}', 400],
    ["a scalar", "1", 400],
    ["an empty batch", "[]", 400],
    ["a duplicate key", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400],
    ["a number that a double cannot hold", '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400],
    ["a lone surrogate", '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', 400],
    ["more than 256 KiB", JSON.stringify({ ...PING, params: { x: "x".repeat(256 * 1024) } }), 400],
  ])("returns 400 and a JSON-RPC error for %s", async (_, text, status) => {
    const reply = await postToMcp(daemon, alice.key, text);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
    expect((await postToMcp(daemon, alice.key, PING)).status).toBe(200);
  });

  // [D8-mcp-transport]
  it("returns the protocol's errors for an unknown method and an unknown tool", async () => {
    const method = await postJsonRpc(daemon, alice.key, "logging/setLevel", { level: "info" });
    expect(method.body.error).toMatchObject({ code: -32601 });
    const tool = await postJsonRpc(daemon, alice.key, "tools/call", { name: "no_such_tool", arguments: {} });
    expect(tool.body.error).toMatchObject({ code: -32602, message: expect.stringContaining("no_such_tool") });
    const unnamed = await postJsonRpc(daemon, alice.key, "tools/call", { arguments: {} });
    expect(unnamed.body.error).toMatchObject({ code: -32602 });
    const cursor = await postJsonRpc(daemon, alice.key, "tools/list", { cursor: "x" });
    expect(cursor.body.error).toMatchObject({ code: -32602 });
  });
});

describe("the fast path of a tool call", () => {
  /** Returns status, content type and text. A call with `_meta` does not use the fast path. */
  async function rawResponse(params: object, id: unknown = 7): Promise<string> {
    const response = await fetch(new URL("/mcp", daemon.origin), {
      method: "POST",
      headers: {
        authorization: `Bearer ${alice.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
    });
    return `${response.status} ${response.headers.get("content-type")} ${await response.text()}`;
  }

  // [D8-mcp-versions]
  it.each([
    ["a result", { name: "get_limits", arguments: {} }],
    ["a result with untrusted content", { name: "read_inbox", arguments: { limit: 5 } }],
    ["a result without arguments", { name: "read_inbox" }],
    ["an error", { name: "send_wire", arguments: { to: "@nobody", text: "hi" } }],
    ["wrong arguments", { name: "send_wire", arguments: [1] }],
    ["an unknown tool", { name: "none", arguments: {} }],
    ["no tool", { arguments: {} }],
  ])("returns the same bytes as the MCP library: %s", async (_what, params) => {
    for (const id of [7, "seven", 'with "quotes"']) {
      expect(await rawResponse(params, id)).toBe(await rawResponse({ ...params, _meta: {} }, id));
    }
  });

  // [D8-mcp-versions]
  it("rejects an invalid request id like the MCP library", async () => {
    const params = { name: "read_inbox" };
    for (const id of [null, 1.5, {}, [1]]) {
      expect(await rawResponse(params, id)).toBe(await rawResponse({ ...params, _meta: {} }, id));
    }
  });
});

describe("the logs and metrics of the MCP endpoint", () => {
  // [D8-mcp-log]
  it("contain the tool, but not its arguments, with the status of the operation", async () => {
    const wire = await jsonRpcToolCaller(daemon, alice).call("get_wire", { id: "no-such-wire-marker" });
    expect(wire.body).toMatchObject({ code: "NOT_FOUND" });
    const metrics = await fetch(new URL("/metrics", daemon.origin)).then((response) => response.text());
    expect(metrics).toMatch(/wireroom_requests_total\{operation="mcp.get_wire",status="404"\} 1/);
    await expect
      .poll(() => daemon.log())
      .toContain('"operation":"mcp.get_wire","caller":"alice","status":404');
    expect(daemon.log()).not.toContain("no-such-wire-marker");
  });

  // [D8-mcp-same-limits]
  it("show the rate limits in the response of a limited tool", async () => {
    const { headers } = await postJsonRpc(daemon, alice.key, "tools/call", {
      name: "send_wire",
      arguments: { to: "@alice", text: "a note" },
    });
    expect(headers.get("ratelimit")).toContain('"wires_per_minute";r=59');
    expect(headers.get("ratelimit-policy")).toContain('"wires_per_day";q=2000');
  });

  // [D2-retry-after]
  it("repeat `retry_after` of a refused call in the header Retry-After", async () => {
    const limited = await startDaemon({ isHosted: true, args: ["--limit", "wires_per_minute=1"] });
    try {
      const carol = await limited.createAgent("carol");
      for (const meta of [undefined, {}]) {
        const call = toolCall(1, "send_wire", { to: "@carol", text: "a note" }, meta);
        await postToMcp(limited, carol.key, call);
        const { headers, body } = await postToMcp(limited, carol.key, call);
        const { code, retry_after } = body.result.structuredContent;
        expect(code).toBe("RATE_LIMITED");
        expect(headers.get("retry-after")).toBe(String(retry_after));
      }
    } finally {
      await limited.stop();
    }
  });
});
