/**
 * Attacks on the HTTP parser: request smuggling (RFC 9112, section 11.2), oversized heads, paths, and encoded
 * bodies.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";
import { RawConnection, type RawResponse, sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const AUTHORIZATION = `Authorization: Bearer ${alice.key}\r\n`;

/** Sends bytes and returns all responses until the daemon closes the connection. */
async function sendAll(bytes: string | Uint8Array): Promise<RawResponse[]> {
  const connection = await RawConnection.open(daemon.origin);
  const responses = await connection.send(bytes).readToEnd();
  expect(connection.rest).toBe("");
  return responses;
}

function expectEnvelope(response: RawResponse | undefined, status: number): void {
  expect(response?.status).toBe(status);
  expect(JSON.parse(response!.text)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

const SMUGGLED = "POST /v1/wires HTTP/1.1\r\nHost: x\r\n\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";

describe("request smuggling", () => {
  it.each([
    ["chunked and a length", `${CHUNKED}Content-Length: 4\r\n`, "0\r\n\r\n"],
    ["a length and chunked", `Content-Length: 4\r\n${CHUNKED}`, "0\r\n\r\n"],
    ["two different lengths", "Content-Length: 0\r\nContent-Length: 4\r\n", ""],
    ["two equal lengths", "Content-Length: 0\r\nContent-Length: 0\r\n", ""],
    ["a list of lengths", "Content-Length: 0, 0\r\n", ""],
    ["a signed length", "Content-Length: +0\r\n", ""],
    ["a negative length", "Content-Length: -1\r\n", ""],
    ["a hexadecimal length", "Content-Length: 0x0\r\n", ""],
    ["an overlong length", `Content-Length: ${"9".repeat(30)}\r\n`, ""],
    ["an unknown transfer coding", "Transfer-Encoding: xchunked\r\n", ""],
    ["chunked that is not last", "Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"],
    ["a vertical tab before chunked", "Transfer-Encoding: \x0bchunked\r\n", "0\r\n\r\n"],
    ["a space before the colon", "Content-Length : 0\r\n", ""],
    ["a bare CR in a header", "X-A: 1\rContent-Length: 4\r\n", ""],
    ["a NUL in a header", "X-A: \0\r\n", ""],
    ["a line without a colon", "nonsense\r\n", ""],
    ["a chunk size that is not hexadecimal", CHUNKED, "g\r\n\r\n"],
    ["a chunk size with a prefix", CHUNKED, "0x0\r\n\r\n"],
    ["a signed chunk size", CHUNKED, "+0\r\n\r\n"],
    ["an overlong chunk size", CHUNKED, `${"f".repeat(20)}\r\n\r\n`],
    ["a chunk longer than its size", CHUNKED, "1\r\n{}\r\n0\r\n\r\n"],
    ["a bare LF after a chunk size", CHUNKED, "0\n\r\n"],
    ["a bare LF after a chunk", CHUNKED, "1\r\n{\n0\r\n\r\n"],
  ])("by %s gets 400, and the rest is not read as a request", async (_, headers, body) => {
    const responses = await sendAll(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: application/json\r\n${headers}\r\n${body}${SMUGGLED}`,
    );
    expect(responses).toHaveLength(1);
    expectEnvelope(responses[0], 400);
    expect(responses[0]!.headers.connection).toBe("close");
  });

  it.each([
    ["lines that end with a bare LF", "GET /healthz HTTP/1.1\nHost: x\n\n"],
    ["a folded header", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n Content-Length: 4\r\n\r\n"],
    ["a folded first header", "GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n"],
    ["a space in the version", "GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n"],
    ["another version", "GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n"],
    ["no version", "GET /healthz\r\n\r\n"],
    ["an unknown method", "BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a space in the path", "GET /healthz /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a control character in the path", "GET /health\x01z HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("by %s is rejected or harmless", async (_, bytes) => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(`${bytes}GET /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const responses = await connection.readToEnd();
    // Either the connection ends with 400, or both requests were understood as sent, or the version has no
    // second request.
    expect([[400], [200, 404], [200], []]).toContainEqual(responses.map(({ status }) => status));
  });

  it("by chunk extensions and trailers has no effect", async () => {
    const body = JSON.stringify({ to: "alice", text: "chunked" });
    const chunk = `${body.length.toString(16)};a="b;c"\r\n${body}\r\n0;x\r\nAuthorization: Bearer wr_other\r\n\r\n`;
    const responses = await sendAll(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: application/json\r\nConnection: close\r\n${CHUNKED}\r\n${chunk}`,
    );
    expect(responses.map(({ status }) => status)).toEqual([201]);
  });

  it("by chunk extensions of 100 KiB gets 400", async () => {
    const responses = await sendAll(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: application/json\r\n${CHUNKED}\r\n1;${"x".repeat(100_000)}\r\n`,
    );
    expect(responses.map(({ status }) => status)).toEqual([400]);
  });
});

describe("the headers of a request", () => {
  const withHeaders = (count: number) =>
    `GET /v1/profile HTTP/1.1\r\nHost: x\r\n${"a:\r\n".repeat(count - 2)}${AUTHORIZATION}\r\n`;

  // [D2-head]
  it("may be 2,000, all of which are read", async () => {
    expect((await sendRawRequest(daemon.origin, withHeaders(2_000)))?.status).toBe(200);
  });

  // [D2-head]
  it.each([2_001, 2_500, 8_000])("are rejected with 400 if there are %i", async (count) => {
    const response = await sendRawRequest(daemon.origin, withHeaders(count));
    expectEnvelope(response, 400);
  });

  // [D2-head]
  it.each([
    ["two equal ones", "Host: localhost\r\nHost: localhost\r\n"],
    ["two different ones", "Host: localhost\r\nhost: evil.example\r\n"],
    ["a list", "Host: localhost, evil.example/\r\n"],
    ["a path", "Host: localhost/v1\r\n"],
    ["a user", "Host: user@localhost\r\n"],
    ["a space", "Host: local host\r\n"],
    ["a port that is no number", "Host: localhost:http\r\n"],
  ])("must contain one valid Host, and not %s", async (_, lines) => {
    for (const path of ["/v1/profile", "/mcp", "/healthz", "/identity/.well-known/openid-configuration"]) {
      const response = await sendRawRequest(
        daemon.origin,
        `GET ${path} HTTP/1.1\r\n${lines}${AUTHORIZATION}\r\n`,
      );
      expectEnvelope(response, 400);
    }
  });

  // [D2-head]
  it.each([
    "localhost",
    "LOCALHOST:80",
    "127.0.0.1",
    "[::1]:4747",
    "under_score.example",
    "xn--bcher-kva.example",
    "",
  ])("may contain the Host %j", async (host) => {
    const response = await sendRawRequest(
      daemon.origin,
      `GET /v1/profile HTTP/1.1\r\nHost: ${host}\r\n${AUTHORIZATION}\r\n`,
    );
    expect(response?.status).toBe(200);
  });
});

describe("a path", () => {
  const get = (target: string) =>
    sendRawRequest(
      daemon.origin,
      `GET ${target} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Connection: close\r\n\r\n`,
    );

  it.each([
    "/v1/./profile",
    "/v1/../v1/profile",
    "/v1//profile",
    "//v1/profile",
    "/v1/profile/",
    "/v1/profile/.",
    "/v1/profile%2f",
    "/v1%2fprofile",
    "/%76%31/profile",
    "/v1/profile%00",
    "/v1/profile;a=b",
    "/V1/profile",
    "/v1\\profile",
    "/v1/handles/..%2fprofile",
    "/identity/..%2fv1/profile",
    "/identity/../v1/profile",
    "/healthz/../v1/profile",
  ])("is not normalised: %s is 404", async (target) => {
    expectEnvelope(await get(target), 404);
  });

  it.each([
    "/v1/wires/%",
    "/v1/wires/%zz",
    "/v1/wires/%c3%28",
    "/v1/wires/%ff%fe",
    "/v1/wires/%00",
    "/v1/wires/%u0041",
    "/v1/wires/%ed%a0%80",
    "/v1/wires/..%2f..%2fetc%2fpasswd",
    "/v1/handles/%2e%2e",
    "/v1/schemas/%40alice%2f..%2f..%401",
    "/v1/spaces/%00/wires",
    "/v1/spaces/%/wires",
    `/v1/wires/${"a".repeat(30_000)}`,
    `/v1/wires/${"%2f".repeat(10_000)}`,
    `/v1/${"a/".repeat(10_000)}`,
    "/mcp/%",
    "/identity/%",
    "/identity/%00",
    "/identity/interaction/%ff",
    "/.well-known/%",
    "http://[/nothing",
    "http://%@localhost/",
    "http://?a",
    "other://localhost",
  ])("that is malformed gets 400 or 404, never 500: %.60s", async (target) => {
    const response = await get(target);
    expect([400, 404]).toContain(response?.status);
    expectEnvelope(response, response!.status);
  });

  it("in absolute form is equal to its path (RFC 9112, section 3.2.2)", async () => {
    expect((await get("http://localhost/v1/profile"))?.status).toBe(200);
    expect((await get("http://localhost/v1/profile?a=/"))?.status).toBe(200);
    expect((await get("http://localhost?a=/v1/profile"))?.status).toBe(404);
    expectEnvelope(await get("http://localhost/nothing"), 404);
    expect((await get("*"))?.status).toBe(404);
  });

  it("never becomes a tunnel", async () => {
    const head = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";
    const responses = await sendAll(head + SMUGGLED);
    expect(responses).toHaveLength(1);
    expectEnvelope(responses[0], 404);
  });
});

describe("an encoded body", () => {
  const bomb = gzipSync("x".repeat(5_000_000));

  it.each(["gzip", "deflate", "br", "zstd", "x-gzip", "gzip, identity", "identity, gzip", "GZIP", ""])(
    "with Content-Encoding %j gets 400 everywhere, and is not decompressed",
    async (encoding) => {
      for (const path of ["/v1/wires", "/mcp", "/identity/sign-up"]) {
        const response = await sendRawRequest(
          daemon.origin,
          Buffer.concat([
            Buffer.from(
              `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\n\r\n`,
            ),
            bomb,
          ]),
        );
        // The daemon of this test has no pages of its own under /identity.
        expect(response?.status, path).toBe(path.startsWith("/identity") ? 404 : 400);
      }
    },
  );

  it("is not offered in responses, whatever the client accepts", async () => {
    const { headers } = await alice.get("/profile", { "accept-encoding": "gzip, br" });
    expect(headers.get("content-encoding")).toBeNull();
  });
});

describe("property names of Object.prototype", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];

  it.each(NAMES)("are unknown fields of a body: %s", async (name) => {
    for (const value of [1, "x", { polluted: true }]) {
      const body = `{"to":"alice","text":"hi",${JSON.stringify(name)}:${JSON.stringify(value)}}`;
      const envelope = expectError(await alice.post("/wires", body), "VALIDATION_ERROR");
      expect(JSON.stringify(envelope.errors)).toContain(name);
    }
  });

  it.each(NAMES)("are ignored in a query, and unknown as path values: %s", async (name) => {
    expect((await alice.get(`/inbox?${name}=1&${name}[polluted]=1`)).status).toBe(200);
    for (const path of ["wires", "spaces", "handles", "threads", "schemas"])
      expect([400, 404, 401, 403]).toContain((await alice.get(`/${path}/${name}`)).status);
    expect((await alice.get(`/search?type=${name}`)).status).toBe(400);
  });

  it.each(NAMES)("survive in a payload as ordinary keys: %s", async (name) => {
    const payload = `{${JSON.stringify(name)}:{"polluted":true}}`;
    const { status, body } = await alice.post("/wires", `{"to":"alice","payload":${payload}}`);
    expect(status).toBe(201);
    const response = await fetch(`${daemon.base}/wires/${body.id}`, {
      headers: { authorization: `Bearer ${alice.key}` },
    });
    expect(await response.text()).toContain(`"payload":${payload}`);
  });
});
