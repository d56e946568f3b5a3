/** Streaming responses with one JSON value per line: `account.export()`. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import {
  ConnectionError,
  ForbiddenError,
  TimeoutError,
  WireroomDashboard,
  type WireroomDashboardOptions,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { mockService } from "../harness/mock-service.js";

const WHOLE = '{"type":"account","id":"ü"}\n{"type":"vote"}\n{"type":"end","lines":2}\n';
const BYTES = new TextEncoder().encode(WHOLE);

/** Returns the response to the n-th request, counted from 1. */
type Answer = (request: number) => Response;

let server: Server | undefined;
/** Number of requests that the server received. */
let requests = 0;
/** Resolves once the connection of the last response is closed. */
let closed: Promise<void> = Promise.resolve();

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
  requests = 0;
});

/**
 * Starts a real server and returns a dashboard client for it. msw cannot intercept undici's pool, and its
 * bodies cannot be cut or aborted. An error of the body, or instead of it, cuts the connection.
 */
async function dashboardOfServer(
  answer: Answer,
  options: WireroomDashboardOptions = {},
): Promise<WireroomDashboard> {
  server = createServer(async (_, response) => {
    closed = new Promise((resolve) => response.once("close", () => resolve()));
    const { type, status, body } = answer(++requests);
    if (type === "error") return void response.destroy();
    response.writeHead(status, { "content-type": "application/x-ndjson" });
    await pipeline(Readable.from(body ?? []), response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  return new WireroomDashboard({ idToken: "x", baseUrl: `http://127.0.0.1:${port}/v1`, ...options });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/**
 * Returns a response whose chunks are sent in separate turns of the event loop; `end` determines how it ends.
 */
function chunked(chunks: Uint8Array[], end: "close" | "error" | "hang"): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(chunk);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (end === "close") controller.close();
      if (end === "error") controller.error(new Error("the service broke"));
    },
  });
  return new Response(body);
}

describe("a streaming response", () => {
  const service = mockService();
  const mocked = async (answer: Answer) => {
    service.use(wireroomHandlers.account.export(({ count }) => answer(count)));
    return service.dashboard();
  };

  describe.each([
    ["a custom fetch function", mocked, () => service.requests.length],
    ["undici's pool", dashboardOfServer, () => requests],
  ])("through %s", (_, dashboardOf, count) => {
    it("is split into complete lines, wherever its chunks end", async () => {
      const bytes = Array.from(BYTES, (byte) => Uint8Array.of(byte));
      const dashboard = await dashboardOf(() => chunked(bytes, "close"));
      const lines = await collect(dashboard.account.export());
      expect(lines).toEqual([{ type: "account", id: "ü" }, { type: "vote" }, { type: "end", lines: 2 }]);
    });

    it.each([
      ["without its end", WHOLE.slice(0, WHOLE.indexOf('{"type":"end"'))],
      ["in the middle of a line", WHOLE.slice(0, 40)],
      ["with a wrong number of lines", WHOLE.replace('"lines":2', '"lines":3')],
      ["with nothing at all", ""],
    ])("that ends %s rejects with a ConnectionError", async (__, text) => {
      const dashboard = await dashboardOf(() => new Response(text));
      await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ConnectionError);
      expect(count()).toBe(1);
    });

    it("is requested again if the response never started", async () => {
      const dashboard = await dashboardOf((n) => (n === 1 ? Response.error() : new Response(WHOLE)));
      expect(await collect(dashboard.account.export())).toHaveLength(3);
      expect(count()).toBe(2);
    });

    it("rejects with the error of the response", async () => {
      const dashboard = await dashboardOf(() =>
        Response.json({ code: "FORBIDDEN", message: "no" }, { status: 403 }),
      );
      await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ForbiddenError);
    });
  });
});

describe.each([
  ["undici's pool", {}],
  ["a custom fetch function", { fetch: globalThis.fetch }],
])("a streaming response over a connection of %s", (_, options) => {
  const started = () => chunked([BYTES.subarray(0, 40)], "hang");

  it("rejects if the connection breaks, without a retry", async () => {
    const dashboard = await dashboardOfServer(() => chunked([BYTES.subarray(0, 40)], "error"), options);
    await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ConnectionError);
    expect(requests).toBe(1);
  });

  it("rejects after the timeout between lines, not counting the time of the caller", async () => {
    const dashboard = await dashboardOfServer((n) => (n === 1 ? started() : new Response(WHOLE)), options);
    const read = async (pauseMs: number) => {
      let seen = 0;
      for await (const __ of dashboard.account.export({ timeout: 300 })) {
        seen++;
        await sleep(pauseMs);
      }
      return seen;
    };
    await expect(read(600)).rejects.toBeInstanceOf(TimeoutError);
    expect(await read(400)).toBe(3);
  });

  it("ends when the caller's signal aborts or the loop breaks, which closes the connection", async () => {
    const dashboard = await dashboardOfServer(started, options);
    const stop = new AbortController();
    const reason = new Error("enough");
    const read = async () => {
      for await (const __ of dashboard.account.export({ signal: stop.signal })) stop.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    for await (const __ of dashboard.account.export()) break;
    await closed;
  });
});
