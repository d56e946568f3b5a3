import { beforeAll, describe, expect, it } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";

const { daemon, alice } = await hostedFixture(["alice"]);
let token: string;
let operations: { name: string; method: string; path: string; dashboard: boolean }[];

/** The dashboard operations of docs/specification/dashboard-operations.md#overview. */
const DASHBOARD = [
  "GET /accounts/me",
  "GET /handles",
  "POST /handles",
  "GET /keys",
  "POST /keys",
  "DELETE /keys/{id}",
  "GET /audit",
  "GET /export",
  "DELETE /handles/{slug}",
];

beforeAll(async () => {
  token = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
  const document: Body = await expectOk(daemon.client().get("/openapi.json"));
  operations = Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Body>(methods)
      .filter(([method]) => ["get", "put", "post", "delete"].includes(method))
      .map(([method, { security = document.security }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, "xxx"),
        dashboard: "idToken" in security[0],
      })),
  );
});

/** Calls each operation with this `Authorization` header. Returns the error code by operation. */
async function errorCodes(dashboard: boolean, authorization?: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const operation of operations.filter((one) => one.dashboard === dashboard)) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const reply = await daemon.client().request(operation.method, operation.path, undefined, headers);
    found[operation.name] = expectError(reply, reply.body.code).code;
  }
  return found;
}

const all = (answered: Record<string, string>, code: string) =>
  Object.fromEntries(Object.keys(answered).map((name) => [name, code]));

describe("agent operations and dashboard operations", () => {
  // [S5-default-scheme]
  it("have different security schemes in the OpenAPI document: the API key is the default", async () => {
    const document = await expectOk(daemon.client().get("/openapi.json"));
    expect(document.security).toEqual([{ apiKey: [] }]);
    const dashboard = operations.filter((operation) => operation.dashboard).map(({ name }) => name);
    expect(dashboard).toEqual(expect.arrayContaining(DASHBOARD));
    expect(operations.length - dashboard.length).toBeGreaterThanOrEqual(15);
  });

  // [S5-key-scheme] [S5-worlds-apart]
  it("an agent operation returns 401 without a key and with an ID token", async () => {
    for (const authorization of [undefined, `Bearer ${token}`, "Bearer ", `Basic ${alice.key}`]) {
      const answered = await errorCodes(false, authorization);
      expect(answered).toEqual(all(answered, "UNAUTHORIZED"));
    }
  });

  // [S5-token-scheme] [S5-worlds-apart]
  it("a dashboard operation returns 403 without a token and with an API key", async () => {
    for (const authorization of [undefined, `Bearer ${alice.key}`, "Bearer ", `Basic ${token}`]) {
      const answered = await errorCodes(true, authorization);
      expect(answered).toEqual(all(answered, "FORBIDDEN"));
    }
  });
});

describe("an API key", () => {
  // [S5-key-is-handle] [S5-key-scheme]
  it("identifies its handle, with the scheme in upper or lower case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const profile = await expectOk(
        daemon.client().get("/profile", { authorization: `${scheme} ${alice.key}` }),
      );
      expect(profile.id).toBe(alice.id);
    }
  });

  // [S5-key-is-handle]
  it("acts for one handle, even if the account has two", async () => {
    const sibling = await daemon.createAgent("alice-two", {}, "alice");
    expect((await expectOk(sibling.get("/profile"))).slug).toBe("alice-two");
    expect((await expectOk(alice.get("/profile"))).slug).toBe("alice");
  });

  // [S5-key-scheme]
  it("returns 401 with an explanation if it is not exactly an issued key", async () => {
    const { key } = alice;
    const swapped = key.endsWith("A") ? `${key.slice(0, -1)}B` : `${key.slice(0, -1)}A`;
    for (const wrong of [
      swapped,
      key.slice(0, -1),
      `${key}A`,
      key.slice(3),
      key.toLowerCase(),
      `${key} ${key}`,
      "wr_",
      "x",
    ]) {
      const reply = await daemon.client(wrong).get("/profile");
      expectError(reply, "UNAUTHORIZED");
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  // [S5-key-scheme]
  it("is accepted only in the Authorization header", async () => {
    await expectRefused(
      daemon.client().get(`/profile?key=${alice.key}&access_token=${alice.key}`),
      "UNAUTHORIZED",
    );
    await expectRefused(daemon.client().get("/profile", { "x-api-key": alice.key }), "UNAUTHORIZED");
  });
});

describe("an ID token", () => {
  // [S5-key-is-handle] [S5-token-scheme]
  it("identifies its account, never a handle", async () => {
    const me = await expectOk(daemon.client(token).get("/accounts/me"));
    expect(me.email).toBe("alice@example.com");
    await expectRefused(daemon.client(token).get("/profile"), "UNAUTHORIZED");
  });

  // [S5-token-scheme]
  it("returns 403 if it is expired, issued for another audience or not signed by the provider", async () => {
    const expired = { exp: Math.floor(Date.now() / 1_000) - 60 };
    const foreign = await daemon.issuer.addKey("ES256", { publish: false });
    const tokens = [
      await daemon.issuer.token({ claims: expired }),
      await daemon.issuer.token({ claims: { aud: "someone-else" } }),
      await daemon.issuer.token({ key: foreign }),
      `${token.slice(0, -6)}AAAAAA`,
      "not.a.token",
    ];
    for (const wrong of tokens) await expectRefused(daemon.client(wrong).get("/accounts/me"), "FORBIDDEN");
  });
});
