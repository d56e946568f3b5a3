/** Answers of many lines: `account.export()`. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionError, ForbiddenError, TimeoutError, WireroomDashboard } from "../../sdk/src/index.js";

let server: Server | undefined;
/** Requests that arrived. */
let requests = 0;
/** Resolves once the last answer's connection is closed. */
let closed: Promise<void> = Promise.resolve();

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  requests = 0;
});

/** A service that answers so: what would take a daemon a fault at the right moment. */
async function answering(
  answer: (response: ServerResponse, request: number) => void,
  options: object = {},
): Promise<WireroomDashboard> {
  server = createServer((_, response) => {
    closed = new Promise((resolve) => response.once("close", () => resolve()));
    response.setHeader("content-type", "application/x-ndjson");
    answer(response, ++requests);
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

const WHOLE = '{"type":"account","id":"ü"}\n{"type":"vote"}\n{"type":"end","lines":2}\n';

describe.each([
  ["undici's pool", {}],
  ["a fetch of one's own", { fetch: globalThis.fetch }],
])("through %s, lines", (_, options) => {
  it("are given whole, wherever the answer is torn on its way", async () => {
    const bytes = Buffer.from(WHOLE);
    const dashboard = await answering((response) => {
      let at = 0;
      const drip = () => {
        if (at === bytes.length) return response.end();
        response.write(bytes.subarray(at, ++at), () => setImmediate(drip));
      };
      drip();
    }, options);
    const lines = await collect(dashboard.account.export());
    expect(lines).toEqual([{ type: "account", id: "ü" }, { type: "vote" }, { type: "end", lines: 2 }]);
  });

  it.each([
    ["without its end", WHOLE.slice(0, WHOLE.indexOf('{"type":"end"'))],
    ["in the middle of a line", WHOLE.slice(0, 40)],
    ["with an end that counts others", WHOLE.replace('"lines":2', '"lines":3')],
    ["with nothing at all", ""],
  ])("that end %s are noticed", async (__, text) => {
    const dashboard = await answering((response) => response.end(text), options);
    await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ConnectionError);
    expect(requests).toBe(1);
  });

  it("of a connection that breaks are noticed, and not begun again", async () => {
    const dashboard = await answering((response) => {
      response.write(WHOLE.slice(0, 40), () => response.destroy());
    }, options);
    await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ConnectionError);
    expect(requests).toBe(1);
  });

  it("are asked for again where the answer never began", async () => {
    const dashboard = await answering((response, request) => {
      if (request === 1) response.destroy();
      else response.end(WHOLE);
    }, options);
    expect(await collect(dashboard.account.export())).toHaveLength(3);
    expect(requests).toBe(2);
  });

  it("are refused with the error that the answer is", async () => {
    const dashboard = await answering((response) => {
      response.statusCode = 403;
      response.end('{"code":"FORBIDDEN","message":"no"}');
    }, options);
    await expect(collect(dashboard.account.export())).rejects.toBeInstanceOf(ForbiddenError);
  });

  it("that stop coming are late; the time that the caller takes does not count", async () => {
    const dashboard = await answering((response) => response.write(WHOLE.slice(0, 30)), options);
    const read = async () => {
      for await (const __ of dashboard.account.export({ timeout: 300 })) {
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
    };
    await expect(read()).rejects.toBeInstanceOf(TimeoutError);
    server!.removeAllListeners("request");
    server!.on("request", (___, response: ServerResponse) => response.end(WHOLE));
    let seen = 0;
    for await (const __ of dashboard.account.export({ timeout: 300 })) {
      seen++;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(seen).toBe(3);
  });

  it("end with the caller's signal, and with a break, which closes the answer", async () => {
    const dashboard = await answering((response) => response.write(WHOLE.slice(0, 30)), options);
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
