import { describe, expect, it } from "vitest";
import { expectError } from "../harness/envelope.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { RawConnection, rawExchange } from "../harness/raw-http.js";

const MAX_BODY = 256 * 1024;

const { daemon, alice } = await fileDaemon(["alice"]);

function expectBody(reply: Awaited<ReturnType<typeof rawExchange>>, status: number) {
  expect(reply?.status).toBe(status);
  return JSON.parse(reply!.text);
}

/** A valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number): string {
  const frame = JSON.stringify({ to: "alice", payload: "" });
  return JSON.stringify({ to: "alice", payload: "x".repeat(bytes - frame.length) });
}

describe("a path", () => {
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
  ])(
    "answers %s %s, which is not there, with 404 with and without a key [D2-unknown-path]",
    async (method, path) => {
      const strangers = [alice, daemon.client(), daemon.client("wr_no-such-key")];
      for (const client of strangers) expectError(await client.request(method, path), "NOT_FOUND");
    },
  );

  it("outside base_url is a 404 in the envelope [D2-unknown-path] [S4-relative-paths]", async () => {
    for (const path of ["/", "/inbox", "/v2/inbox", "/v1inbox"]) {
      const response = await fetch(`${daemon.origin}${path}`, {
        headers: { authorization: `Bearer ${alice.key}` },
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("a query", () => {
  it("may hold parameters that nobody knows [D2-unknown-query]", async () => {
    expect((await alice.get("/inbox?colour=red&limit=1&constructor=1&__proto__=x")).status).toBe(200);
  });

  it.each(["0", "101", "-1", "1.5", "x", "", "1e1", "99999999999999999999", "0x10"])(
    "with limit=%s is refused, and the parameter is named [D2-limit-range] [S8-page-size]",
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

  it("takes a page size from 1 to 100 [S8-page-size]", async () => {
    await alice.post("/spaces", { slug: "sizes", visibility: "public" });
    for (const path of ["/inbox?", "/spaces/sizes/wires?", "/spaces/sizes/search?q=x&"]) {
      for (const limit of [1, 100]) expect((await alice.get(`${path}limit=${limit}`)).status).toBe(200);
    }
  });

  it("of the switchboard takes a limit from 1 to 50 [S8-search-limit] [D2-limit-range]", async () => {
    for (const limit of [1, 50])
      expect((await alice.get(`/search?type=handles&limit=${limit}`)).status).toBe(200);
    for (const limit of [0, 51]) {
      expectError(await alice.get(`/search?type=handles&limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  it("that repeats a parameter is refused [D2-wrong-type]", async () => {
    const { errors } = expectError(await alice.get("/inbox?limit=1&limit=2"), "VALIDATION_ERROR");
    expect(errors[0].instancePath).toBe("/limit");
  });

  it("without what is required is refused, and the parameter is named [S7-validation-error]", async () => {
    const { errors } = expectError(await alice.get("/search"), "VALIDATION_ERROR");
    expect(errors[0].message).toContain('"type"');
  });
});

describe("a body's size", () => {
  it("may be 256 KiB and no byte more [D2-body-size]", async () => {
    expect((await alice.post("/wires", bodyOf(MAX_BODY))).status).toBe(201);
    const { errors } = expectError(await alice.post("/wires", bodyOf(MAX_BODY + 1)), "VALIDATION_ERROR");
    expect(errors[0].message).toContain("256 KiB");
  });

  it("is counted where the body comes in chunks of unknown length [D2-body-size]", async () => {
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

  it("leaves the connection usable where it is too large [D2-connection-usable]", async () => {
    const connection = await RawConnection.open(daemon.origin);
    const head = (length: number) =>
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const small = JSON.stringify({ to: "alice", text: "after" });
    connection.send(head(1_000_000)).send("x".repeat(1_000_000));
    expect((await connection.reply())?.status).toBe(400);
    connection.send(head(small.length)).send(small);
    expect((await connection.reply())?.status).toBe(201);
    connection.close();
  });

  it("does not matter to a caller without a key: 401 first, and the connection stays usable [D2-connection-usable]", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(`POST /v1/wires HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
    connection.send("x".repeat(1_000_000));
    expect((await connection.reply())?.status).toBe(401);
    connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await connection.reply())?.status).toBe(200);
    connection.close();
  });
});

describe("a body that is sent in chunks", () => {
  const head = (type: string) =>
    `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\n${type}Transfer-Encoding: chunked\r\n\r\n`;

  it.each(["", "Content-Type: text/plain\r\n", "Content-Type: nonsense\r\n"])(
    "and is empty is none, whatever its type: %j [D2-content-type]",
    async (type) => {
      const reply = await rawExchange(daemon.origin, `${head(type)}0\r\n\r\n`);
      const { errors } = expectBody(reply, 400);
      expect(JSON.stringify(errors)).toContain("to");
      expect(JSON.stringify(errors)).not.toContain("content-type");
    },
  );

  it.each(["", "Content-Type: nonsense\r\n"])(
    "must have a valid type: %j [D2-content-type]",
    async (type) => {
      const reply = await rawExchange(daemon.origin, `${head(type)}2\r\n{}\r\n0\r\n\r\n`);
      expect(expectBody(reply, 400).errors).toMatchObject([{ keyword: "content-type" }]);
    },
  );
});

describe("a client that disconnects within its body", () => {
  it("leaves a line in the log and no error [D2-connection-usable]", async () => {
    const carol = await daemon.agent("carol-leaves");
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

describe("a request id", () => {
  it("stands in every response, each another [D2-request-id]", async () => {
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

  it("is the one in the log line of the request [D2-request-id-log]", async () => {
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

describe("what is not quite HTTP", () => {
  it.each([
    ["garbage", "garbage\r\n\r\n"],
    ["a bad header", "GET /v1/inbox HTTP/1.1\r\nHost: x\r\nbad header: 1\r\n\r\n"],
    ["headers of 40 KiB", `GET /v1/inbox HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}\r\n\r\n`],
    ["no Host", "GET /v1/inbox HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST /v1/wires HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ])(
    "(%s) is a 400 in the envelope, with a request id in the log [D2-request-id] [S7-envelope]",
    async (_, bytes) => {
      const reply = await rawExchange(daemon.origin, bytes);
      expect(reply?.status).toBe(400);
      expect(JSON.parse(reply!.text)).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.any(String),
      });
      const id = reply!.headers["x-request-id"]!;
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      await expect.poll(() => daemon.log()).toContain(id);
    },
  );

  it("such as an unknown expectation or an upgrade is answered as if it were not there [S7-envelope]", async () => {
    for (const header of ["Expect: bananas", "Connection: Upgrade\r\nUpgrade: h2c"]) {
      const reply = await rawExchange(
        daemon.origin,
        `GET /v1/inbox HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`,
      );
      expect(reply?.status).toBe(401);
      expect(JSON.parse(reply!.text)).toMatchObject({ code: "UNAUTHORIZED" });
    }
  });
});
