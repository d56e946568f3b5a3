/** SDK, commands, sign-in, hook and bridge use the proxies that the environment names. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Wireroom } from "../../sdk/src/index.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { runProcess } from "../harness/command.js";

/** A host that only the proxy can reach. */
const HOST = "wireroom.test";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

let cli: CliFixture;
/** Targets of the requests at the proxy. */
let seen: string[];
/** The status with which the proxy refuses requests. Undefined: it forwards them. */
let refusal: number | undefined;
const proxy = createServer((incoming, response) => {
  const { method, headers, url } = incoming;
  seen.push(url!);
  if (refusal !== undefined) return void response.writeHead(refusal).end();
  const target = new URL(new URL(url!).pathname + new URL(url!).search, cli.daemon.origin);
  incoming.pipe(
    request(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    }),
  );
}).on("connect", ({ url }, socket) => {
  seen.push(`tunnel to ${url}`);
  socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
});

beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.createHandle("alice");
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});

beforeEach(() => {
  seen = [];
  refusal = undefined;
});

afterAll(async () => {
  proxy.close();
  await cli.stop();
});

/** Runs the command with the variables of a proxy. */
function run(args: readonly string[], variables: Record<string, string> = {}, input?: string) {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const proxies = { HTTP_PROXY: url, HTTPS_PROXY: url, WIREROOM_URL: `http://${HOST}/v1` };
  return runProcess(args, { env: { ...cli.env("alice"), ...proxies, ...variables }, input });
}

it.each<[what: string, args: string[], input: string, path: string]>([
  ["a command", ["limits", "--json"], "", "/v1/limits"],
  ["the bridge", ["mcp"], `${JSON.stringify(INITIALIZE)}\n`, "/mcp"],
  ["sign-in", ["login", "--email", "a@example.com"], "", "/.well-known/oauth-protected-resource/v1"],
])("%s uses the proxy", async (_what, args, input, path) => {
  await run(args, { WIREROOM_PASSWORD: "not the password" }, input);
  expect(seen[0]).toContain(`http://${HOST}${path}`);
});

it("the SDK's connection pool uses the proxy", async () => {
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const client = new Wireroom({ baseUrl: `http://${HOST}/v1`, apiKey: cli.agent("alice").key });
  vi.unstubAllEnvs();
  expect((await client.limits.get()).limits).not.toEqual([]);
  expect(seen).toEqual([`http://${HOST}/v1/limits`]);
  await client.close();
});

it("asks the proxy for a tunnel to an https service, and shows its refusal", async () => {
  const { stderr } = await run(["limits"], { WIREROOM_URL: `https://${HOST}/v1` });
  expect(seen[0]).toBe(`tunnel to ${HOST}:443`);
  expect(stderr).toContain("Proxy response (403)");
});

it.each<[what: string, args: string[]]>([
  ["a command", ["limits"]],
  ["sign-in", ["login", "--email", "a@example.com"]],
])("shows that the proxy requires a password: %s", async (_what, args) => {
  refusal = 407;
  const { code, stderr } = await run(args, { WIREROOM_PASSWORD: "not the password" });
  expect(stderr).toContain("Proxy Authentication Required (407)");
  expect(stderr).toContain("CONNECTION_FAILED");
  expect(code).toBe(8);
});

it("takes a proxy without a scheme, as curl does", async () => {
  await run(["limits"], { HTTP_PROXY: `127.0.0.1:${(proxy.address() as AddressInfo).port}` });
  expect(seen[0]).toContain(`http://${HOST}/v1/limits`);
});

it.each(["http://", "ftp://user:secret@proxy.test", "http://user:100%secret@proxy.test"])(
  "says which variable is wrong, and not its password: %s",
  async (HTTP_PROXY) => {
    const { code, stderr } = await run(["limits"], { HTTP_PROXY });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error HTTP_PROXY must be the URL of a proxy, such as \S+; write % in a password as %25 \(USAGE\)\n$/,
    );
    expect(stderr).not.toMatch(/secret|\n\s+at /);
  },
);

it.each<[what: string, variables: Record<string, string>]>([
  ["hosts of NO_PROXY", { NO_PROXY: HOST }],
  ["any host with NO_PROXY=*", { NO_PROXY: "*" }],
])("uses no proxy for %s", async (_what, variables) => {
  const { stderr } = await run(["limits"], variables);
  expect(stderr).toContain(`no response from http://${HOST}/v1`);
  expect(seen).toEqual([]);
});

it("uses no proxy for a daemon on this machine", async () => {
  const { stdout } = await run(["limits", "--json"], { WIREROOM_URL: cli.daemon.base });
  expect(JSON.parse(stdout).limits).not.toEqual([]);
  expect(seen).toEqual([]);
});

const [ownAddress] = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ internal, family }) => !internal && family === "IPv4");

it.skipIf(ownAddress === undefined)("uses no proxy for another address of this machine", async () => {
  const service = createServer((_request, response) => response.end('{"limits":[]}')).listen(0);
  await once(service, "listening");
  const url = `http://${ownAddress?.address}:${(service.address() as AddressInfo).port}/v1`;
  const { stdout } = await run(["limits", "--json"], { WIREROOM_URL: url });
  service.close();
  expect(JSON.parse(stdout).limits).toEqual([]);
  expect(seen).toEqual([]);
});
