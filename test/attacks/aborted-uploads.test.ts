/**
 * Attacks with uploads that break off. They must not fill the log with errors, because an operator would take
 * them for faults.
 */
import { afterAll, describe, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const embedded = await startDaemon({ isHosted: true, embeddedIdentity: true });
afterAll(() => embedded.stop());
const token = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });

const TYPES = ["application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense", ""];
const BODIES: [framing: string, ...parts: string[]][] = [
  ["Content-Length: 100000"],
  ["Content-Length: 100000", "{", '"to":"alice"'],
  ["Content-Length: 1000000", "x".repeat(300_000), "y"],
  ["Transfer-Encoding: chunked"],
  ["Transfer-Encoding: chunked", "5\r\n{", '"to"\r\nff\r\n'],
  ["Transfer-Encoding: chunked", `49000\r\n${"x".repeat(300_000)}`],
  // These bodies are complete.
  ["Content-Length: 2", "{}"],
  ["Content-Length: 100000", "x".repeat(100_000)],
  ["Content-Length: 300000", "x".repeat(300_000)],
  ["Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"],
];
const ENDINGS = {
  reset: (connection: RawConnection) => connection.socket.resetAndDestroy(),
  "half-close": (connection: RawConnection) => connection.socket.end(),
  close: (connection: RawConnection) => connection.close(),
};

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function breakOff(
  origin: string,
  head: string,
  parts: string[],
  end: (connection: RawConnection) => unknown,
  pauseMs: number,
) {
  const connection = await RawConnection.open(origin);
  connection.send(head);
  for (const part of parts) {
    connection.send(part);
    if (pauseMs > 0) await delay(pauseMs);
  }
  end(connection);
  await delay(100);
  connection.close();
}

describe("an upload that its client breaks off", () => {
  // [D2-connection-usable]
  it.each([
    ["/v1/wires", alice.key, daemon],
    ["/mcp", alice.key, daemon],
    ["/v1/handles", token, daemon],
    ["/identity/sign-up", "none", embedded],
    ["/identity/token", "none", embedded],
  ])("to %s is logged as a request, never as an error", async (path, credential, at) => {
    const uploadsOf = (type: string) =>
      BODIES.flatMap(([framing, ...parts]) =>
        Object.values(ENDINGS).flatMap((end) => {
          const contentType = type && `Content-Type: ${type}\r\n`;
          const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\n${contentType}${framing}\r\n\r\n`;
          return [0, 3, 30].map((pauseMs) => () => breakOff(at.origin, head, parts, end, pauseMs));
        }),
      );
    // So few at once that they are no overload: the daemon would refuse some, and log that.
    await mapConcurrently(TYPES.flatMap(uploadsOf), (upload) => upload(), 60);
    expect((await fetch(`${at.origin}/healthz`)).status).toBe(200);
    await delay(200);
    const lines = at
      .log()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level > 30)).toEqual([]);
    expect(lines.filter(({ status }) => status >= 500)).toEqual([]);
  });

  // [D2-connection-usable]
  it("is noticed although its body was too large, so that the connection is closed", async () => {
    const connection = await RawConnection.open(embedded.origin);
    const form = "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked";
    connection.send(`POST /identity/token HTTP/1.1\r\nHost: localhost\r\n${form}\r\n\r\n`);
    connection.send(`49000\r\n${"x".repeat(300_000)}`);
    expect((await connection.readResponse())?.status).toBe(400);
    connection.socket.end();
    await connection.readToEnd();
  });
});
