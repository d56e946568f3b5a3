/** The hooks and the logger of a client. */
import { describe, expect, it } from "vitest";
import {
  NotFoundError,
  type RequestEvent,
  type ResponseEvent,
  type WireroomOptions,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { mockService } from "../harness/mock-service.js";

const service = mockService();

/** Returns a client that adds a header to its requests, and what its hooks and its logger received. */
function observedClient(options: WireroomOptions = {}) {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const logged: [level: string, message: string, fields: object][] = [];
  const wr = service.agent({
    apiKey: "wr_secret",
    headers: { "x-proxy": "proxy_secret" },
    onRequest: (request) => {
      requests.push(request);
      request.headers["x-trace"] = `trace ${request.attempt}`;
    },
    onResponse: (response) => void responses.push(response),
    logger: {
      debug: (message, fields) => void logged.push(["debug", message, fields]),
      warn: (message, fields) => void logged.push(["warn", message, fields]),
    },
    ...options,
  });
  return { wr, requests, responses, logged };
}

/** The first request gets 503, later ones succeed. */
const busyOnce = () =>
  wireroomHandlers.wires.send(({ count, error }) => (count === 1 ? error("UNAVAILABLE") : undefined));

describe("the hooks and the logger of a client", () => {
  it("receive each attempt with its result, and each retry", async () => {
    service.use(busyOnce());
    const { wr, requests, responses, logged } = observedClient();
    const { response } = await wr.wires.send({ to: "@bob", text: "a secret" }).withResponse();
    const request = { operation: "wires.send", method: "POST", url: "http://wireroom.test/v1/wires" };
    expect(requests).toMatchObject([
      { ...request, attempt: 1 },
      { ...request, attempt: 2 },
    ]);
    expect(responses.map((each) => each.request)).toEqual(requests);
    expect(responses).toMatchObject([
      { status: 503, error: { code: "UNAVAILABLE" }, durationMs: expect.any(Number) },
      { status: 201, error: undefined, requestId: response.requestId },
    ]);
    expect(logged.map(([level, message]) => `${level} ${message.replace(/\d+ ms/, "N ms")}`)).toEqual([
      "debug wires.send: 503 after N ms",
      expect.stringMatching(/^warn .*; next attempt in N ms$/),
      "debug wires.send: 201 after N ms",
    ]);
  });

  it("add headers to the request", async () => {
    service.use(busyOnce());
    await observedClient().wr.wires.send({ to: "@bob", text: "hi" });
    expect(service.requests.map(({ headers }) => headers.get("x-trace"))).toEqual(["trace 1", "trace 2"]);
    expect(service.requests[0]!.headers.get("x-proxy")).toBe("proxy_secret");
  });

  it("receive no credential, header or body", async () => {
    service.use(busyOnce());
    const { wr, ...received } = observedClient();
    await wr.wires.send({ to: "@bob", text: "a secret" });
    expect(JSON.stringify(received)).not.toContain("secret");
  });

  it("receive errors of responses and of connections, and an abort", async () => {
    service.use(wireroomHandlers.wires.get(({ error }) => error("NOT_FOUND")));
    const { wr, responses, logged } = observedClient();
    await expect(wr.wires.get({ id: "none" })).rejects.toBeInstanceOf(NotFoundError);
    expect(responses[0]).toMatchObject({ status: 404, error: expect.any(NotFoundError) });
    const reason = new Error("enough");
    await expect(wr.wires.get({ id: "none" }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = new AbortController();
    const fetch = () => {
      stop.abort(reason);
      return Promise.reject(reason);
    };
    const aborted = observedClient({ fetch });
    await expect(aborted.wr.profile.get({ signal: stop.signal })).rejects.toBe(reason);
    expect(aborted.responses).toMatchObject([{ status: undefined, error: reason }]);
    expect(aborted.logged[0]![1]).toMatch(/^profile.get: aborted after \d+ ms$/);
    expect(logged).toHaveLength(1);
  });

  it("reject the call with the error that they throw, which is not sent then", async () => {
    const broken = new Error("the hook broke");
    const { wr } = observedClient({
      onRequest: () => {
        throw broken;
      },
    });
    await expect(wr.profile.get()).rejects.toBe(broken);
    expect(service.requests).toEqual([]);
  });
});
