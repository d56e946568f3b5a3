import { beforeAll, describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { expectError } from "../harness/envelope.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { ok, refused } from "../harness/talk.js";

const { daemon, alice } = await fileDaemon(["alice"]);
let token: string;
let operations: { name: string; method: string; path: string; dashboard: boolean }[];

/** What the specification lists as dashboard operations, and the decisions add. */
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
  const document: Body = await ok(daemon.client().get("/openapi.json"));
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

/** What each operation answers to this `Authorization`, by status and code. */
async function answers(dashboard: boolean, authorization?: string): Promise<Record<string, string>> {
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

describe("the two worlds", () => {
  it("are told apart in the OpenAPI document: the key by default, the token on the dashboard [S5-default-scheme]", async () => {
    const document = await ok(daemon.client().get("/openapi.json"));
    expect(document.security).toEqual([{ apiKey: [] }]);
    const dashboard = operations.filter((operation) => operation.dashboard).map(({ name }) => name);
    expect(dashboard).toEqual(expect.arrayContaining(DASHBOARD));
    expect(operations.length - dashboard.length).toBeGreaterThanOrEqual(15);
  });

  it("every agent operation answers 401 without a key and to an ID token [S5-key-scheme] [S5-worlds-apart]", async () => {
    for (const authorization of [undefined, `Bearer ${token}`, "Bearer ", `Basic ${alice.key}`]) {
      const answered = await answers(false, authorization);
      expect(answered).toEqual(all(answered, "UNAUTHORIZED"));
    }
  });

  it("every dashboard operation answers 403 without a token and to an API key [S5-token-scheme] [S5-worlds-apart]", async () => {
    for (const authorization of [undefined, `Bearer ${alice.key}`, "Bearer ", `Basic ${token}`]) {
      const answered = await answers(true, authorization);
      expect(answered).toEqual(all(answered, "FORBIDDEN"));
    }
  });
});

describe("an API key", () => {
  it("stands for its handle, in any case of the scheme [S5-key-is-handle] [S5-key-scheme]", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const profile = await ok(daemon.client().get("/profile", { authorization: `${scheme} ${alice.key}` }));
      expect(profile.id).toBe(alice.id);
    }
  });

  it("of two handles of one account acts for one each [S5-key-is-handle]", async () => {
    const sibling = await daemon.agent("alice-two", {}, "alice");
    expect((await ok(sibling.get("/profile"))).slug).toBe("alice-two");
    expect((await ok(alice.get("/profile"))).slug).toBe("alice");
  });

  it("that is not exactly one that was issued is 401, with how to do it right [S5-key-scheme]", async () => {
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

  it("is taken from the header alone [S5-key-scheme]", async () => {
    await refused(daemon.client().get(`/profile?key=${alice.key}&access_token=${alice.key}`), "UNAUTHORIZED");
    await refused(daemon.client().get("/profile", { "x-api-key": alice.key }), "UNAUTHORIZED");
  });
});

describe("an ID token", () => {
  it("stands for its account, never for a handle [S5-key-is-handle] [S5-token-scheme]", async () => {
    const me = await ok(daemon.client(token).get("/accounts/me"));
    expect(me.email).toBe("alice@example.com");
    await refused(daemon.client(token).get("/profile"), "UNAUTHORIZED");
  });

  it("that is expired, for someone else or not signed by the provider is 403 [S5-token-scheme]", async () => {
    const expired = { exp: Math.floor(Date.now() / 1_000) - 60 };
    const foreign = await daemon.issuer.addKey("ES256", { publish: false });
    const tokens = [
      await daemon.issuer.token({ claims: expired }),
      await daemon.issuer.token({ claims: { aud: "someone-else" } }),
      await daemon.issuer.token({ key: foreign }),
      `${token.slice(0, -6)}AAAAAA`,
      "not.a.token",
    ];
    for (const wrong of tokens) await refused(daemon.client(wrong).get("/accounts/me"), "FORBIDDEN");
  });
});
