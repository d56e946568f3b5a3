/**
 * Attacks from web pages in the browser of a user on whose machine the daemon runs: DNS rebinding and
 * cross-origin requests.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const embedded = await startDaemon({ isHosted: true, embeddedIdentity: true });
afterAll(() => embedded.stop());

const EVIL = "http://evil.example";

/** Sends a request that a browser could send for a page of another origin. */
function send(origin: string, method: string, path: string, headers: Record<string, string>, body = "") {
  const lines = Object.entries({ host: new URL(origin).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return sendRawRequest(
    origin,
    `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

describe("a page of another origin", () => {
  const preflight = {
    origin: EVIL,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization",
  };

  it.each(["/v1/wires", "/v1/inbox", "/v1/handles", "/mcp", "/healthz", "/metrics", "/v1/openapi.json"])(
    "gets no permission from a preflight request to %s",
    async (path) => {
      for (const headers of [preflight, { ...preflight, "access-control-request-private-network": "true" }]) {
        const response = await send(daemon.origin, "OPTIONS", path, headers);
        expect(response!.status).toBeGreaterThanOrEqual(400);
        expect(Object.keys(response!.headers).filter((name) => name.startsWith("access-control"))).toEqual(
          [],
        );
      }
    },
  );

  it.each(["/v1/profile", "/mcp", "/healthz", "/metrics", "/v1/openapi.json"])(
    "cannot read the response of %s, not even with a credential",
    async (path) => {
      for (const origin of [EVIL, "null", "http://localhost:3000"]) {
        const response = await send(daemon.origin, "GET", path, {
          origin,
          authorization: `Bearer ${alice.key}`,
        });
        expect(response?.headers).not.toHaveProperty("access-control-allow-origin");
      }
    },
  );

  it("cannot act with what a browser adds by itself, because only the Authorization header counts", async () => {
    for (const headers of [
      { cookie: `authorization=Bearer ${alice.key}; token=${alice.key}; wr=${alice.key}` },
      { authorization: `Basic ${btoa(`alice:${alice.key}`)}` },
      { "proxy-authorization": `Bearer ${alice.key}` },
    ] as Record<string, string>[]) {
      const all = { origin: EVIL, "content-type": "text/plain", ...headers };
      for (const path of [
        "/v1/wires",
        `/v1/wires?authorization=${alice.key}&access_token=${alice.key}`,
        "/mcp",
      ])
        expect((await send(daemon.origin, "POST", path, all, "{}"))?.status).toBe(401);
    }
  });

  it.each(["sign-up", "confirm", "resend"])(
    "cannot post to /identity/%s, because a form cannot send JSON",
    async (path) => {
      const body = JSON.stringify({
        email: "victim@example.com",
        password: "correct horse battery",
        code: "123456",
      });
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
      ]) {
        const response = await send(
          embedded.origin,
          "POST",
          `/identity/${path}`,
          { origin: EVIL, "content-type": type },
          body,
        );
        expect(response?.status).toBe(400);
      }
      const response = await send(embedded.origin, "OPTIONS", `/identity/${path}`, preflight);
      expect(Object.keys(response!.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    },
  );

  it("cannot frame the pages of the identity provider", async () => {
    const response = await send(embedded.origin, "GET", "/identity/device", { origin: EVIL });
    expect(response?.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const cookie of response!.headers["set-cookie"]?.split("\n") ?? []) {
      expect(cookie).toMatch(/httponly/i);
      expect(cookie).toMatch(/samesite=(lax|strict)/i);
    }
  });
});

describe("a page whose host name resolves to this machine", () => {
  const HOSTS = [
    "evil.example",
    "evil.example:80",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost.",
  ];

  // [D8-mcp-dns-rebinding]
  it.each(HOSTS)("%s cannot use MCP, not even with a key", async (host) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await send(daemon.origin, method, "/mcp", {
        host,
        authorization: `Bearer ${alice.key}`,
      });
      expect(response?.status).toBe(403);
    }
  });

  // [D10-served-hosts]
  it.each(HOSTS)("%s cannot use the identity provider", async (host) => {
    const json = { host, "content-type": "application/json" };
    const credentials = JSON.stringify({ email: "victim@example.com", password: "correct horse battery" });
    expect((await send(embedded.origin, "POST", "/identity/sign-up", json, credentials))?.status).toBe(403);
    for (const path of ["/identity/device", "/identity/auth", "/identity/.well-known/openid-configuration"])
      expect((await send(embedded.origin, "GET", path, { host }))?.status).toBe(403);
    const form = { host, "content-type": "application/x-www-form-urlencoded" };
    expect((await send(embedded.origin, "POST", "/identity/token", form, "grant_type=x"))?.status).toBe(403);
    expect(embedded.log()).not.toContain("victim@example.com");
  });

  it.each(HOSTS)("%s can use REST only with a key, which it does not have", async (host) => {
    for (const path of ["/v1/profile", "/v1/handles", "/v1/inbox"]) {
      const response = await send(daemon.origin, "GET", path, { host, origin: `http://${host}` });
      expect([401, 403]).toContain(response?.status);
    }
  });

  it("cannot pretend to be served by an absolute target (RFC 9112, section 3.2.2)", async () => {
    const response = await send(daemon.origin, "POST", "http://localhost/mcp", {
      host: "evil.example",
      authorization: `Bearer ${alice.key}`,
    });
    expect(response?.status).toBe(403);
  });

  // [D10-served-hosts]
  it("is unlike the names of this daemon, which serve all pages", async () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]", new URL(embedded.origin).host])
      expect((await send(embedded.origin, "GET", "/identity/device", { host }))?.status).toBe(200);
  });
});
