/** Requests of web pages of other origins, by raw HTTP and in a real browser. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { openChromium } from "../harness/chromium.js";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { acceptsNothing, answersAnother, RawConnection } from "../harness/raw-http.js";

/** Serves an empty page. Returns its server and origin. */
async function servePage(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>An application</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

const application = await servePage();
const stranger = await servePage();
const APP = "https://app.example.com";
const allowed = ["--cors-origin", application.origin, "--cors-origin", `${APP}/`];
const { daemon, alice } = await hostedFixture(["alice"], {
  args: [...allowed, "--limit", "wires_per_minute=2"],
  embeddedIdentity: false,
});

type Headers = Record<string, string>;

async function send(method: string, path: string, headers: Headers, body?: string) {
  const response = await fetch(`${daemon.origin}${path}`, { method, headers, body });
  await response.text();
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers) };
}

const key = { authorization: `Bearer ${alice.key}` };

describe("a page of an origin that --cors-origin allows", () => {
  // [D12-cors]
  it("gets the permission for every method and header of the API", async () => {
    const methods = [...new Set(operations.map(({ method }) => method))];
    expect(methods.sort()).toEqual(["DELETE", "GET", "POST", "PUT"]);
    const names = [
      "authorization",
      "content-type",
      "idempotency-key",
      "last-event-id",
      "mcp-method",
      "mcp-name",
      "mcp-protocol-version",
      "mcp-session-id",
      "traceparent",
    ];
    for (const path of ["/v1/wires", "/v1/handles/alice", "/v1/no-such-path", "/mcp"]) {
      for (const method of methods) {
        const { status, headers } = await send("OPTIONS", path, {
          origin: APP,
          "access-control-request-method": method,
          "access-control-request-headers": names.join(","),
        });
        expect(status).toBe(204);
        expect(headers).toMatchObject({ "access-control-allow-origin": APP, vary: "Origin" });
        expect(headers["access-control-allow-methods"]!.split(",")).toContain(method);
        expect(headers["access-control-allow-headers"]!.split(",")).toEqual(names);
        expect(headers).not.toHaveProperty("access-control-allow-credentials");
      }
    }
  });

  // [D12-cors-errors]
  it("can read errors, and what a client needs of their headers", async () => {
    const wire = JSON.stringify({ to: "alice", text: "hello" });
    const json = { "content-type": "application/json" };
    const post = (path: string, headers: Headers, body = wire) =>
      send("POST", path, { origin: APP, ...json, ...headers }, body);
    const responses = [
      await post("/v1/wires", {}),
      await post("/mcp", {}),
      await post("/v1/wires", key),
      await post("/v1/wires", key),
      await post("/v1/wires", key),
      await post("/v1/wires", key, "{"),
      await post("/mcp", key, "{"),
      await send("GET", "/v1/wires/none", { origin: APP, ...key }),
      await send("GET", "/v1/no-such-path", { origin: APP, ...key }),
      await send("GET", "/mcp", { origin: APP, ...key }),
      await send("GET", "/v1/openapi.json", { origin: APP }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([
      401, 401, 201, 201, 429, 400, 400, 404, 404, 405, 200,
    ]);
    for (const { headers } of responses) {
      expect(headers).toMatchObject({ "access-control-allow-origin": APP, vary: "Origin" });
      const exposed = headers["access-control-expose-headers"]!.split(",");
      expect(exposed).toEqual(
        expect.arrayContaining([
          "Deprecation",
          "RateLimit",
          "RateLimit-Policy",
          "Retry-After",
          "Sunset",
          "WWW-Authenticate",
          "X-Request-Id",
        ]),
      );
    }
  });

  // [D12-cors-errors]
  it("can read the 503 of a daemon that stops", async () => {
    const stopping = await startDaemon({ args: allowed, isHosted: true });
    const connection = await RawConnection.open(stopping.origin);
    connection.send(`GET /v1/inbox HTTP/1.1\r\nHost: x\r\nOrigin: ${APP}\r\n`);
    await answersAnother(stopping);
    const stopped = stopping.stop();
    await acceptsNothing(stopping);
    const response = await connection.send("\r\n").readResponse();
    expect(response).toMatchObject({
      status: 503,
      headers: { "access-control-allow-origin": APP, vary: "Origin" },
    });
    await stopped;
  });

  // [D12-cors-api-only]
  it("gets no access to anything but the API", async () => {
    for (const path of ["/healthz", "/metrics", "/", "/v1", "/identity/sign-up"]) {
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = await send(method, path, {
          origin: APP,
          "access-control-request-method": "POST",
        });
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
    }
  });
});

describe("a page of any other origin", () => {
  // [D12-cors]
  it.each([
    "https://evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://sub.app.example.com",
    "null",
    `${APP}/`,
    APP.toUpperCase(),
  ])("gets no access: %s", async (origin) => {
    const preflight = { origin, "access-control-request-method": "POST" };
    for (const response of [
      await send("OPTIONS", "/v1/wires", preflight),
      await send("OPTIONS", "/mcp", preflight),
      await send("GET", "/v1/profile", { origin, ...key }),
    ]) {
      expect(response.headers.vary).toBe("Origin");
      expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    const mcp = await send("POST", "/mcp", { origin, ...key });
    // The browser never sends a path or upper case, so this is the same origin as the allowed one.
    if (new URL(origin === "null" ? "about:blank" : origin).origin !== APP) expect(mcp.status).toBe(403);
  });
});

const browser = await openChromium();

describe.skipIf(!browser)("a real browser", () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser!.newPage();
  });

  /**
   * Calls the service as a page does. Returns what the script of the page can read, or the name of its error.
   */
  const call = (path: string, init: RequestInit) =>
    page.evaluate(
      async ([url, options]) => {
        try {
          const response = await fetch(url, options);
          const { status, headers } = response;
          return { status, body: await response.json(), headers: Object.fromEntries(headers) };
        } catch (error) {
          return (error as Error).name;
        }
      },
      [`${daemon.origin}${path}`, init] as const,
    );

  const send = (path: string, body: object, headers: Headers) =>
    call(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "page", version: "1" } },
  };
  const mcp = { ...key, accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };

  // [D12-cors]
  it("lets the page of an allowed origin use REST and MCP", async () => {
    await page.goto(application.origin);
    const profile = { method: "PUT", headers: { ...key, "Content-Type": "application/json" }, body: "{}" };
    expect(await call("/v1/profile", profile)).toMatchObject({ status: 200, body: { slug: "alice" } });
    const limits = await call("/v1/limits", { headers: key });
    expect(limits).toMatchObject({ status: 200, headers: { "x-request-id": expect.any(String) } });
    const sent = await send("/v1/wires", { to: "alice", text: "hi" }, { ...key, "Idempotency-Key": "page" });
    expect(sent).toMatchObject({ headers: { ratelimit: expect.any(String) } });
    expect(await send("/v1/wires", {}, {})).toMatchObject({
      status: 401,
      body: { code: "UNAUTHORIZED" },
      headers: { "www-authenticate": expect.stringContaining("Bearer") },
    });
    expect(await send("/mcp", initialize, mcp)).toMatchObject({
      status: 200,
      body: { result: { serverInfo: expect.anything() } },
    });
  });

  // [D12-cors]
  it("lets the page of another origin read nothing, and sends nothing that changes anything", async () => {
    await page.goto(stranger.origin);
    expect(await call("/v1/profile", { headers: key })).toBe("TypeError");
    expect(await call("/v1/openapi.json", {})).toBe("TypeError");
    expect(await send("/v1/wires", { to: "alice", text: "from a stranger" }, key)).toBe("TypeError");
    expect(await send("/mcp", initialize, mcp)).toBe("TypeError");
    expect((await alice.get("/inbox")).body.wires).not.toContainEqual(
      expect.objectContaining({ text_body: "from a stranger" }),
    );
  });
});
