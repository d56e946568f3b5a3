/** Progress notifications of held tool calls, for clients that ask for them (MCP, Progress). */
import { expect, it, vi } from "vitest";
import { withProgress } from "../../daemon/mcp/progress.js";
import { UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { jsonRpcToolCaller, legacyClient, mcpUrl, modernClient, toToolResult } from "../harness/mcp.js";

/** The daemon sends a notification every 5 s of its clock. */
const FACTOR = 10;
const INTERVAL_MS = 5_000;
let heldCalls = 0;
const { daemon, alice, bob } = await daemonFixture(["alice", "bob"], { env: fastClockEnv(FACTOR) });

interface Options {
  onprogress(progress: { progress: number }): void;
  timeout: number;
  resetTimeoutOnProgress: true;
}
type Call = (
  params: { name: string; arguments: Record<string, unknown> },
  options: Options,
) => Promise<unknown>;

// [D14-mcp-progress]
it.each<[string, () => Promise<{ call: Call; close(): Promise<void> }>]>([
  [
    "up to 2025-11-25",
    async () => {
      const client = await legacyClient(daemon, alice);
      return {
        call: (params, options) => client.callTool(params, undefined, options),
        close: () => client.close(),
      };
    },
  ],
  [
    "2026-07-28",
    async () => {
      const client = await modernClient(daemon, alice, { pin: "2026-07-28" });
      return { call: (params, options) => client.callTool(params, options), close: () => client.close() };
    },
  ],
])("a held call prolongs the time-out of its client by progress: revision %s", async (_revision, connect) => {
  const { call, close } = await connect();
  const { id } = await sendWire(bob, "alice");
  const { next_cursor } = await expectOk(alice.get(`/threads/${id}?cursor=latest`));
  const seen: number[] = [];
  const options: Options = {
    onprogress: ({ progress }) => seen.push(progress),
    // Four times the interval of the notifications, and a fraction of the wait.
    timeout: 2_000,
    resetTimeoutOnProgress: true,
  };
  const input = { id, cursor: next_cursor, wait: 50 };
  const reading = call({ name: "read_thread", arguments: input }, options);
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(5);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  await sendWire(bob, "alice", { text: "at last", reply_to: id });
  const { body, texts } = toToolResult((await reading) as never);
  expect(body.wires).toMatchObject([{ text_body: "at last" }]);
  expect(texts.join()).toContain("at last");
  // The log line of the call is written after its response, and so contains its duration.
  const isOfCall = ({ operation, ms }: { operation?: string; ms?: number }) =>
    operation === "mcp.read_thread" && ms! >= 5 * INTERVAL_MS;
  const logged = () =>
    daemon
      .log()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await expect.poll(() => logged().filter(isOfCall).length).toBe(++heldCalls);
  await close();
});

// [D14-mcp-ask]
it("send_wire returns the reply after a notice, and no notice without one", async () => {
  const tools = jsonRpcToolCaller(daemon, alice);
  const asking = tools.call("send_wire", { to: "bob", text: "a question", wait_for_reply: 60 });
  const questions = async () =>
    (await expectOk(bob.get("/inbox?limit=100"))).wires
      .filter(({ text_body }: { text_body: string }) => text_body === "a question")
      .map(({ id }: { id: string }) => id);
  await expect.poll(questions).toHaveLength(1);
  const [id] = await questions();
  await sendWire(bob, "alice", { text: "an answer", reply_to: id });
  const answered = await asking;
  expect(answered.body).toMatchObject({ id, reply: { sender: "bob", text_body: "an answer" } });
  expect(answered.texts[0]).toBe(UNTRUSTED_CONTENT_NOTICE);
  const { body, texts } = await tools.call("send_wire", { to: "bob", text: "hello", wait_for_reply: 0 });
  expect(body.reply).toBeNull();
  expect(texts).toHaveLength(1);
});

// [D8-mcp-same-limits]
it("shows the rate limits in the headers of a call with progress", async () => {
  const params = {
    name: "send_wire",
    arguments: { to: "bob", text: "?", wait_for_reply: 8 },
    _meta: { progressToken: 1 },
  };
  const { headers, body } = await fetch(mcpUrl(daemon), {
    method: "POST",
    headers: {
      authorization: `Bearer ${alice.key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  expect(headers.get("ratelimit")).toContain('"wires_per_minute"');
  expect(headers.get("ratelimit-policy")).toContain('"wires_per_day";q=2000');
  expect(await new Response(body).text()).toMatch(/notifications\/progress[\s\S]*structuredContent/);
});

// [D14-mcp-progress]
it("ignores a progress token of more than 256 characters", async () => {
  const typeWith = async (progressToken: string) => {
    const params = { name: "read_inbox", arguments: { wait: 1 }, _meta: { progressToken } };
    const response = await fetch(mcpUrl(daemon), {
      method: "POST",
      headers: {
        authorization: `Bearer ${alice.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    expect(await response.text()).toContain("next_cursor");
    return response.headers.get("content-type");
  };
  expect(await typeWith("x".repeat(256))).toContain("text/event-stream");
  expect(await typeWith("x".repeat(257))).toContain("application/json");
});

it("sends no notification to a client that has not read the last one", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const client = { isReading: true };
  const notify = vi.fn(async () => {});
  let finish = (_result: string) => {};
  const work = () =>
    new Promise<string>((resolve) => {
      finish = resolve;
    });
  const held = withProgress("token", notify, () => client.isReading, work);
  vi.advanceTimersByTime(10_000);
  expect(notify).toHaveBeenCalledTimes(2);
  client.isReading = false;
  vi.advanceTimersByTime(10_000);
  expect(notify).toHaveBeenCalledTimes(2);
  client.isReading = true;
  vi.advanceTimersByTime(5_000);
  expect(notify).toHaveBeenCalledTimes(3);
  finish("result");
  expect(await held).toBe("result");
  vi.useRealTimers();
});
