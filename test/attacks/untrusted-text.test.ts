/**
 * Attacks with text that a log, a terminal or a header would interpret (CWE-117, CWE-113), and with keys of
 * Object.prototype.
 */
import { afterAll, describe, expect, it } from "vitest";
import { COMMAND } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { postJsonRpc } from "../harness/mcp.js";
import { sendRawRequest } from "../harness/raw-http.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { Terminal } from "../harness/terminal.js";

const { daemon, alice } = await daemonFixture(["alice"], { args: ["--log-level", "trace"] });

const folder = new TemporaryFolder("wireroom-log-").path;
const port = await freePort();
const terminal = new Terminal(process.execPath, [
  COMMAND,
  "daemon",
  "--port",
  String(port),
  "--data-dir",
  folder,
]);
await terminal.waitFor("serving");
afterAll(() => terminal.kill());

const MARK = "forged-line-5e1f";
/** Texts that would end a log line, clear a terminal, or set its title. */
const TEXTS = [
  `\r\n{"level":50,"msg":"${MARK}"}`,
  `%0d%0a${MARK}`,
  `\x1b[2J\x1b]0;${MARK}\x07`,
  `\u009b2J${MARK}`,
  `\u202e${MARK}`,
  `\0${MARK}`,
  `\b\b\b\b${MARK}`,
];

/** Sends a text in every part of a request that the daemon could log. */
async function attack(origin: string, text: string): Promise<void> {
  const head = (line: string, headers = "") =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
  const requests = [
    head(`GET /${text}`),
    head(`GET /v1/inbox?q=${text}`),
    head(`${text} /v1/inbox`),
    head("GET /v1/inbox", `User-Agent: ${text}\r\n`),
    head("GET /v1/inbox", `X-Request-Id: ${text}\r\n`),
    head("GET /v1/inbox", `X-Forwarded-For: ${text}\r\n`),
    head("GET /v1/inbox", `Authorization: Bearer ${text}\r\n`),
    head("GET /mcp", `Origin: ${text}\r\nAuthorization: Bearer ${alice.key}\r\n`),
    `GET /v1/inbox HTTP/1.1\r\nHost: ${text}\r\nConnection: close\r\n\r\n`,
  ];
  for (const request of requests) {
    const response = await sendRawRequest(origin, Buffer.from(request));
    // A request line that contains CR LF may be two lines of nonsense, but never two requests that succeed.
    expect([400, 401, 403, 404]).toContain(response?.status);
    expect(JSON.stringify(response!.headers)).not.toContain(MARK);
  }
  // A CR makes every address invalid. A percent sign would be valid, and harmless.
  const email = JSON.stringify({
    email: `a\r${text}@example.com`,
    password: "correct horse battery",
  });
  for (const [path, body] of [
    ["/identity/sign-up", email],
    ["/identity/resend", email],
    ["/v1/wires", JSON.stringify({ to: text, text })],
  ] as const) {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${alice.key}` },
      body,
    });
    expect([400, 401, 404, 422]).toContain(response.status);
    await response.arrayBuffer();
  }
}

describe("text from a client", () => {
  // [D12-logs]
  it("does not reach the JSON log, whatever it contains", async () => {
    for (const text of TEXTS) await attack(daemon.origin, text);
    const { headers } = await alice.get("/profile");
    await expect.poll(() => daemon.log()).toContain(headers.get("x-request-id"));
    expect(daemon.log()).not.toContain(MARK);
    for (const line of daemon.log().trimEnd().split("\n")) expect(JSON.parse(line)).toHaveProperty("msg");
  });

  // [D12-logs]
  it("does not reach the log on a terminal", async () => {
    for (const text of TEXTS) await attack(`http://127.0.0.1:${port}`, text);
    await fetch(`http://127.0.0.1:${port}/v1/wires/none`, { method: "DELETE" });
    await expect.poll(() => terminal.written).toContain("DELETE wires.delete 401");
    expect(terminal.written).not.toContain(MARK);
  });

  it("cannot choose the request id", async () => {
    const { headers } = await alice.get("/profile", { "x-request-id": "mine" });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("keys of Object.prototype in an MCP message", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

  it.each(NAMES)("are unknown arguments: %s", async (name) => {
    const args = JSON.parse(`{"to":"alice","text":"hi",${JSON.stringify(name)}:{"polluted":true}}`);
    const { body } = await postJsonRpc(daemon, alice.key, "tools/call", {
      name: "send_wire",
      arguments: args,
    });
    expect(body.result).toMatchObject({ isError: true, structuredContent: { code: "VALIDATION_ERROR" } });
    expect(JSON.stringify(body.result.structuredContent.errors)).toContain(name);
  });

  it.each(NAMES)("are unknown tools and unknown methods: %s", async (name) => {
    const tool = await postJsonRpc(daemon, alice.key, "tools/call", { name, arguments: {} });
    expect(tool.body.error).toMatchObject({ code: -32602 });
    const method = await postJsonRpc(daemon, alice.key, name, {});
    expect(method.body.error).toMatchObject({ code: -32601 });
  });

  it("do not change any object of the daemon", async () => {
    const schema = `{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"const":1}},"required":["__proto__"]}`;
    const registered = await alice.post("/schemas", `{"subject":"@alice/proto","json_schema":${schema}}`);
    expect(registered.status).toBe(201);
    const rule = { accepted_schemas: [registered.body.ref] };
    expect(
      (await alice.post("/spaces", { slug: "proto", visibility: "public", post_rule: rule })).status,
    ).toBeLessThan(500);
    const { status, body } = await alice.get("/profile");
    expect(status).toBe(200);
    expect(Object.keys(body)).not.toContain("polluted");
  });
});
