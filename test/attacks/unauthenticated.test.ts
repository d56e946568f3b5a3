/**
 * The cost of requests without a valid credential: they change nothing in the store, and the daemon does not
 * read their bodies.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const expired = await daemon.issuer.token({
  claims: { sub: "alice", email: "alice@example.com", exp: Math.floor(Date.now() / 1_000) - 3_600 },
});
await alice.owner.delete(`/keys/${alice.keyId}`);

const CREDENTIALS: Record<string, string | undefined> = {
  none: undefined,
  "an empty one": "",
  "another scheme": "Basic YWxpY2U6YWxpY2U=",
  "a key that never existed": `Bearer wr_${"x".repeat(43)}`,
  "a revoked key": `Bearer ${alice.key}`,
  "an expired ID token": `Bearer ${expired}`,
  "a token without a signature": `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"alice"}')}.`,
  "20,000 characters": `Bearer ${"a.".repeat(10_000)}`,
};

/** Returns a hash of everything that the daemon has stored. */
function storeHash(): string {
  const hash = createHash("sha256");
  for (const file of ["wireroom.db", "wireroom.db-wal"])
    hash.update(readFileSync(join(daemon.dataDir, file)));
  return hash.digest("hex");
}

// Waits for a checkpoint that the writes above have caused.
for (let hash = ""; hash !== storeHash(); ) {
  hash = storeHash();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

/** Paths that need no credential. */
const OPEN_PATHS = [
  "/healthz",
  "/readyz",
  "/metrics",
  "/v1/openapi.json",
  "/.well-known/oauth-protected-resource/v1",
  "/nothing",
];

describe("requests without a valid credential", () => {
  it.each(Object.entries(CREDENTIALS))(
    "(%s) are rejected by every operation, and write nothing",
    async (_, authorization) => {
      const before = storeHash();
      const headers = {
        ...(authorization !== undefined && { authorization }),
        "content-type": "application/json",
      };
      const requests = operations.map(async ({ id, method, path }) => {
        const url = `${daemon.base}${path.replace(/\{\w+\}/g, "x")}`;
        const hasBody = method === "POST" || method === "PUT";
        const keyed = { ...headers, "idempotency-key": `key-${id}` };
        const response = await fetch(url, { method, headers: keyed, ...(hasBody && { body: "{" }) });
        expect([401, 403], `${id}: ${response.status}`).toContain(response.status);
        expect(await response.json()).toMatchObject({
          code: expect.stringMatching(/^(UNAUTHORIZED|FORBIDDEN)$/),
        });
      });
      await Promise.all(requests);
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await fetch(`${daemon.origin}/mcp`, {
          method,
          headers,
          ...(method === "POST" && { body: "{" }),
        });
        expect(response.status).toBe(401);
      }
      expect(storeHash()).toBe(before);
    },
  );

  it("to open paths write nothing", async () => {
    const before = storeHash();
    for (const path of OPEN_PATHS) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const response = await fetch(`${daemon.origin}${path}`, { method });
        expect([200, 404], `${method} ${path}`).toContain(response.status);
        await response.arrayBuffer();
      }
    }
    expect(storeHash()).toBe(before);
  });

  it.each(["POST /v1/wires", "POST /v1/handles", "POST /mcp", "PUT /v1/profile"])(
    "to %s are rejected before their body arrives",
    async (line) => {
      const connection = await RawConnection.open(daemon.origin);
      connection.send(
        `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 262144\r\n\r\n`,
      );
      expect([401, 403]).toContain((await connection.readResponse())?.status);
      connection.close();
    },
  );

  it("for the metrics share one collection, which is slow with many connections", async () => {
    const read = async () => (await fetch(`${daemon.origin}/metrics`)).text();
    await read();
    const texts = await Promise.all(Array.from({ length: 50 }, read));
    expect(new Set(texts).size).toBeLessThan(25);
  });
});
