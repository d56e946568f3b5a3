/**
 * A malicious service can neither exhaust the memory of a client, nor receive its key at another address, nor
 * stop it for years.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Wireroom, WireroomDashboard, WireroomError } from "../../sdk/src/index.js";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const MEGABYTE = Buffer.alloc(1_048_576, "x");

/** Sends megabytes until the client leaves. Returns how many it accepted. */
function flood(head: { status: number; headers?: Record<string, string>; start: string }): {
  listener: RequestListener;
  sent: () => number;
} {
  let sent = 0;
  return {
    sent: () => sent,
    listener: (_request, response) => {
      response.writeHead(head.status, { "content-type": "application/json", ...head.headers });
      response.write(head.start);
      const more = () => {
        while (!response.destroyed && sent < 100) {
          sent++;
          if (!response.write(MEGABYTE)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    },
  };
}

const TRANSPORTS = [
  ["with the client's own connections", undefined],
  ["with the global fetch", globalThis.fetch],
] as const;

describe.each(TRANSPORTS)("a response without an end, %s,", (_, fetch) => {
  it.each([
    ["as a success", 200, {}],
    ["as an error", 400, {}],
    ["with an announced length", 200, { "content-length": String(100 * MEGABYTE.length + 1) }],
  ])("is cut %s", async (_name, status, headers) => {
    const { listener, sent } = flood({ status, headers, start: '"' });
    const wr = new Wireroom({ apiKey: "wr_x", baseUrl: await serve(listener), fetch, maxRetries: 0 });
    const error = await wr.profile.get().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "UNEXPECTED_RESPONSE", status });
    expect((error as Error).message).toContain("larger than");
    expect(sent()).toBeLessThan(60);
  });

  it("is cut as a line", async () => {
    const { listener, sent } = flood({ status: 200, start: '{"a":"' });
    const human = new WireroomDashboard({
      idToken: "x",
      baseUrl: await serve(listener),
      fetch,
      maxRetries: 0,
    });
    const read = async () => {
      for await (const _line of human.account.export()) throw new Error("there is no line");
    };
    await expect(read()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
    expect(sent()).toBeLessThan(60);
  });
});

describe.each(TRANSPORTS)("a redirect, %s,", (_, fetch) => {
  it.each([301, 302, 303, 307, 308])(
    "%d is not followed, so that no other server gets the key",
    async (status) => {
      const thief: unknown[] = [];
      const elsewhere = await serve((request, response) => {
        thief.push(request.headers);
        response.end("{}");
      });
      const baseUrl = await serve((_request, response) => {
        response.writeHead(status, { location: `${elsewhere}/profile` }).end("{}");
      });
      const wr = new Wireroom({ apiKey: "wr_secret", baseUrl, fetch });
      const call = wr.wires.send({ to: "@bob", text: "private" });
      await expect(call).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
      expect(thief).toEqual([]);
    },
  );
});

describe("a Retry-After of years", () => {
  it("ends a call at once", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(503, { "retry-after": "999999999999" }).end("{}");
    });
    const error = await new Wireroom({ apiKey: "wr_x", baseUrl }).profile
      .get()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WireroomError);
  });

  it("delays a listener by at most an hour", async () => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(503, { "retry-after": "999999999999" }).end("{}");
    });
    const stop = new AbortController();
    const delays: number[] = [];
    const onRetry = (_error: unknown, delay: number) => {
      delays.push(delay);
      stop.abort();
    };
    const listen = new Wireroom({ apiKey: "wr_x", baseUrl }).inbox.listen({ signal: stop.signal, onRetry });
    expect((await listen.next()).done).toBe(true);
    expect(delays).toHaveLength(1);
    expect(delays[0]).toBeLessThanOrEqual(3_601_000);
  });
});

describe("an error envelope", () => {
  it.each([
    [
      { code: "constructor", message: "m" },
      { code: "constructor", message: "m" },
    ],
    [
      { code: "__proto__", message: "m", retry_after: -5 },
      { code: "__proto__", retryAfter: undefined },
    ],
    [{ code: "RATE_LIMITED", message: "m", retry_after: "1" }, { retryAfter: undefined }],
    [{ code: "NOT_FOUND", message: "m", retry_after: 1.5 }, { retryAfter: undefined }],
    [
      { code: "VALIDATION_ERROR", message: "m", errors: 5, rule_source: 5, schema_ref: {}, schema_url: [] },
      { errors: [], ruleSource: undefined, schemaRef: undefined, schemaUrl: undefined },
    ],
    [
      { code: "VALIDATION_ERROR", message: "m", errors: [null, 7, { instancePath: 5 }, { message: "why" }] },
      { errors: [{ message: "why" }] },
    ],
  ])("%j is a WireroomError whose fields have the declared types", async (body, expected) => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const error = await new Wireroom({ apiKey: "wr_x", baseUrl, maxRetries: 0 }).profile
      .get()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(WireroomError);
    const fields = error as unknown as Record<string, unknown>;
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name]]))).toMatchObject(
      expected,
    );
  });
});
