import { describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";
import { RawConnection, sendRawRequest } from "../harness/raw-http.js";

const MAX_BODY = 256 * 1024;

const { daemon, alice } = await hostedFixture(["alice"]);

function expectBody(reply: Awaited<ReturnType<typeof sendRawRequest>>, status: number) {
  expect(reply?.status).toBe(status);
  return JSON.parse(reply!.text);
}

/** Returns a valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ to: "alice", payload: "" });
  return JSON.stringify({ to: "alice", payload: "x".repeat(bytes - frame.length) });
}

describe("an unknown path", () => {
  // [D2-unknown-path]
  it.each([
    ["GET", "/nothing"],
    ["GET", ""],
    ["GET", "/wires"],
    ["PATCH", "/profile"],
    ["DELETE", "/inbox"],
    ["POST", "/inbox"],
    ["OPTIONS", "/wires"],
    ["GET", "/wires/"],
    ["GET", "/INBOX"],
    ["GET", "/inbox/"],
  ])("returns 404 for %s %s, with and without a key", async (method, path) => {
    const strangers = [alice, daemon.client(), daemon.client("wr_no-such-key")];
    for (const client of strangers) expectError(await client.request(method, path), "NOT_FOUND");
  });

  // [D2-unknown-path] [S4-relative-paths]
  it("returns 404 in the error envelope outside of the base URL", async () => {
    for (const path of ["/", "/inbox", "/v2/inbox", "/v1inbox"]) {
      const response = await fetch(`${daemon.origin}${path}`, {
        headers: { authorization: `Bearer ${alice.key}` },
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("a CONNECT request", () => {
  const connect = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";
  const next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  // [D2-unknown-path]
  it("returns 404 with a request id, is logged, and ends its connection", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(next);
    expect((await connection.readResponse())?.status).toBe(200);
    const responses = await connection.send(connect + next).readToEnd();
    expect(responses).toHaveLength(1);
    expect(expectBody(responses[0], 404)).toMatchObject({ code: "NOT_FOUND", message: expect.any(String) });
    const { connection: persistence, "x-request-id": id, "cache-control": cache } = responses[0]!.headers;
    expect({ persistence, cache }).toEqual({ persistence: "close", cache: "no-store" });
    await expect.poll(() => daemon.log()).toContain(`"request_id":"${id}"`);
  });

  // [D2-unknown-path]
  it("behind a request without a response closes the connection, and a reset does no harm", async () => {
    const held = `GET /v1/inbox?wait=30 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\n\r\n`;
    const connection = await RawConnection.open(daemon.origin);
    expect(await connection.send(held + connect).readToEnd()).toEqual([]);
    for (let n = 0; n < 20; n++) {
      const { socket } = (await RawConnection.open(daemon.origin)).send(connect);
      socket.resetAndDestroy();
    }
    expect((await alice.get("/profile")).status).toBe(200);
  });
});

describe("a query", () => {
  // [D2-unknown-query]
  it("may contain unknown parameters", async () => {
    expect((await alice.get("/inbox?colour=red&limit=1&constructor=1&__proto__=x")).status).toBe(200);
  });

  // [D2-limit-range] [S8-page-size]
  it.each(["0", "101", "-1", "1.5", "x", "", "1e1", "99999999999999999999", "0x10"])(
    "with limit=%s is rejected with the name of the parameter",
    async (limit) => {
      await alice.post("/spaces", { slug: "limits", visibility: "public" });
      for (const path of [
        "/inbox?",
        "/spaces/limits/wires?",
        "/spaces/limits/search?q=x&",
        "/knocks?",
        "/contacts?",
      ]) {
        const { errors } = expectError(await alice.get(`${path}limit=${limit}`), "VALIDATION_ERROR");
        expect(errors[0].instancePath).toBe("/limit");
      }
    },
  );

  // [S8-page-size]
  it("accepts a page size from 1 to 100", async () => {
    await alice.post("/spaces", { slug: "sizes", visibility: "public" });
    for (const path of ["/inbox?", "/spaces/sizes/wires?", "/spaces/sizes/search?q=x&"]) {
      for (const limit of [1, 100]) expect((await alice.get(`${path}limit=${limit}`)).status).toBe(200);
    }
  });

  // [S8-search-limit] [D2-limit-range]
  it("of the switchboard accepts a limit from 1 to 50", async () => {
    for (const limit of [1, 50])
      expect((await alice.get(`/search?type=handles&limit=${limit}`)).status).toBe(200);
    for (const limit of [0, 51]) {
      expectError(await alice.get(`/search?type=handles&limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  // [D2-wrong-type]
  it("is rejected if it repeats a parameter", async () => {
    const { errors } = expectError(await alice.get("/inbox?limit=1&limit=2"), "VALIDATION_ERROR");
    expect(errors[0].instancePath).toBe("/limit");
  });

  // [S7-validation-error]
  it("is rejected with the parameter's name if a required parameter is missing", async () => {
    const { errors } = expectError(await alice.get("/search"), "VALIDATION_ERROR");
    expect(errors[0].message).toContain('"type"');
  });
});

describe("the size of a body", () => {
  // [D2-body-size]
  it("may be 256 KiB, and not one byte more", async () => {
    expect((await alice.post("/wires", bodyOf(MAX_BODY))).status).toBe(201);
    const { errors } = expectError(await alice.post("/wires", bodyOf(MAX_BODY + 1)), "VALIDATION_ERROR");
    expect(errors[0].message).toContain("256 KiB");
  });

  // [D2-body-size]
  it("is limited for a chunked body of unknown length", async () => {
    const chunk = new TextEncoder().encode("x".repeat(64 * 1024));
    let left = 6;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const response = await fetch(`${daemon.base}/wires`, {
      method: "POST",
      headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  // [D2-connection-usable]
  it("above the limit leaves the connection usable", async () => {
    const connection = await RawConnection.open(daemon.origin);
    const head = (length: number) =>
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const small = JSON.stringify({ to: "alice", text: "after" });
    connection.send(head(1_000_000)).send("x".repeat(1_000_000));
    expect((await connection.readResponse())?.status).toBe(400);
    connection.send(head(small.length)).send(small);
    expect((await connection.readResponse())?.status).toBe(201);
    connection.close();
  });

  // [D2-connection-usable]
  it("is not checked for a caller without a key: the response is 401, and the connection stays usable", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(`POST /v1/wires HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
    connection.send("x".repeat(1_000_000));
    expect((await connection.readResponse())?.status).toBe(401);
    connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await connection.readResponse())?.status).toBe(200);
    connection.close();
  });
});

describe("a chunked body", () => {
  const head = (type: string) =>
    `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\n${type}Transfer-Encoding: chunked\r\n\r\n`;

  // [D2-content-type]
  it.each(["", "Content-Type: text/plain\r\n", "Content-Type: nonsense\r\n"])(
    "that is empty counts as no body, with any content type: %j",
    async (type) => {
      const reply = await sendRawRequest(daemon.origin, `${head(type)}0\r\n\r\n`);
      const { errors } = expectBody(reply, 400);
      expect(JSON.stringify(errors)).toContain("to");
      expect(JSON.stringify(errors)).not.toContain("content-type");
    },
  );

  // [D2-content-type]
  it.each(["", "Content-Type: nonsense\r\n"])("requires a valid content type: %j", async (type) => {
    const reply = await sendRawRequest(daemon.origin, `${head(type)}2\r\n{}\r\n0\r\n\r\n`);
    expect(expectBody(reply, 400).errors).toMatchObject([{ keyword: "content-type" }]);
  });
});

describe("a client that disconnects while it sends its body", () => {
  // [D2-connection-usable]
  it("causes a log line, but no error", async () => {
    const carol = await daemon.createAgent("carol-leaves");
    const connection = await RawConnection.open(daemon.origin);
    connection.send(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${carol.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.close();
    const lines = () =>
      daemon
        .log()
        .split("\n")
        .filter((line) => line.includes('"caller":"carol-leaves"'))
        .map((line) => JSON.parse(line));
    await expect.poll(lines).toMatchObject([{ level: 30, operation: "wires.send", status: 400 }]);
    expect(daemon.log()).not.toContain("request failed");
  });
});

describe("the request id", () => {
  // [D2-request-id]
  it("is different in every response", async () => {
    const replies = await Promise.all([
      alice.get("/profile"),
      alice.get("/nothing"),
      daemon.client().get("/profile"),
      alice.post("/wires", {}),
      fetch(`${daemon.origin}/healthz`),
      fetch(`${daemon.origin}/metrics`),
      fetch(`${daemon.base}/openapi.json`),
    ]);
    const ids = replies.map(({ headers }) => headers.get("x-request-id"));
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id ?? ""))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  // [D2-request-id-log]
  it("is also in the log line of the request", async () => {
    const { headers } = await alice.post("/wires", {});
    const id = headers.get("x-request-id")!;
    await expect.poll(() => daemon.log()).toContain(id);
    const lines = daemon
      .log()
      .split("\n")
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { request_id: id, method: "POST", operation: "wires.send", caller: "alice", status: 400 },
    ]);
  });
});

describe("the security headers", () => {
  const HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    "referrer-policy": expect.stringMatching(/^(no-referrer|same-origin)$/),
    "x-content-type-options": "nosniff",
  };

  // [D2-security-headers]
  it.each([
    "/v1/profile",
    "/v1/nothing",
    "/v1/openapi.json",
    "/mcp",
    "/healthz",
    "/metrics",
    "/identity/nothing",
  ])("of %s forbid a browser to store, sniff or frame it", async (path) => {
    const { headers } = await fetch(`${daemon.origin}${path}`);
    expect(Object.fromEntries(headers)).toMatchObject(HEADERS);
    expect(headers.get("strict-transport-security")).toBeNull();
  });

  // [D2-security-headers]
  it("also demand https if the public URL is https, on the pages of the identity provider too", async () => {
    const args = ["--public-url", "https://wireroom.example.com"];
    const behindTls = await startDaemon({ isHosted: true, args, embeddedIdentity: true });
    try {
      for (const path of ["/healthz", "/identity/device", "/identity/jwks", "/identity/nothing"]) {
        const { headers } = await fetch(`${behindTls.origin}${path}`);
        expect(Object.fromEntries(headers), path).toMatchObject({
          ...HEADERS,
          "strict-transport-security": "max-age=31536000",
        });
      }
    } finally {
      await behindTls.stop();
    }
  });
});

describe("a malformed HTTP request", () => {
  // [D2-request-id] [S7-envelope]
  it.each([
    ["garbage", "garbage\r\n\r\n"],
    ["a bad header", "GET /v1/inbox HTTP/1.1\r\nHost: x\r\nbad header: 1\r\n\r\n"],
    ["headers of 40 KiB", `GET /v1/inbox HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
    ["no Host", "GET /v1/inbox HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST /v1/wires HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ])("(%s) returns 400 in the error envelope, with a request id in the log", async (_, bytes) => {
    const reply = await sendRawRequest(daemon.origin, bytes);
    expect(reply?.status).toBe(400);
    expect(JSON.parse(reply!.text)).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.any(String),
    });
    const id = reply!.headers["x-request-id"]!;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(() => daemon.log()).toContain(id);
  });

  // [S7-envelope]
  it("with an unknown Expect or Upgrade header is handled as if the header were absent", async () => {
    for (const header of ["Expect: bananas", "Connection: Upgrade\r\nUpgrade: h2c"]) {
      const reply = await sendRawRequest(
        daemon.origin,
        `GET /v1/inbox HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`,
      );
      expect(reply?.status).toBe(401);
      expect(JSON.parse(reply!.text)).toMatchObject({ code: "UNAUTHORIZED" });
    }
  });
});
