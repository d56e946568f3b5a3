/** Checks the traces that a daemon exports to an OTLP receiver. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { type Body, startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { ENGINE, withDatabase } from "../harness/database.js";

const received: { headers: Record<string, unknown>; spans: Body[]; resource: Body }[] = [];
const collector = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(parts).toString()).resourceSpans)
    received.push({
      headers: request.headers,
      resource,
      spans: scopeSpans.flatMap(({ spans }: Body) => spans),
    });
  response.setHeader("Content-Type", "application/json").end("{}");
});
collector.listen(0, "127.0.0.1");
await once(collector, "listening");
const { port } = collector.address() as AddressInfo;

const { daemon, ann, ben } = await daemonFixture(["ann", "ben"], {
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=blue",
    OTEL_SERVICE_NAME: "wires",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  },
});
afterAll(() => void collector.close());

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const CONTEXT = `00-${TRACE}-${PARENT}-01`;

const spans = () => received.flatMap((batch) => batch.spans);
const attribute = (span: Body, name: string) =>
  Object.values(span.attributes.find(({ key }: Body) => key === name)?.value ?? {})[0];

/** Waits for the span of the request with this id. */
async function spanOf(requestId: string): Promise<Body> {
  const find = () => spans().find((span) => attribute(span, "wireroom.request_id") === requestId);
  await expect.poll(find).toBeDefined();
  return find();
}

const partsOf = (parent: Body) =>
  spans()
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .map(({ name }) => name);

/** Sends a request with headers of its own, and returns its span. */
async function send(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Body> {
  const own = { authorization: `Bearer ${ann.key}`, "content-type": "application/json", ...headers };
  const response = await fetch(`${daemon.origin}${path}`, { ...init, headers: own });
  await response.text();
  return spanOf(response.headers.get("x-request-id")!);
}

const post = (body: object) => ({ method: "POST", body: JSON.stringify(body) });

describe("a daemon with an OTLP endpoint", () => {
  it("exports a span of each request, a child of the span of its caller, with its parts", async () => {
    const span = await send("/v1/wires", post({ to: "ben", text: "a secret text" }), {
      traceparent: CONTEXT,
    });
    expect(span).toMatchObject({ name: "wires.send", kind: 2, traceId: TRACE, parentSpanId: PARENT });
    expect(attribute(span, "http.request.method")).toBe("POST");
    expect(attribute(span, "http.route")).toBe("/v1/wires");
    expect(Number(attribute(span, "http.response.status_code"))).toBe(201);
    expect(partsOf(span)).toEqual(["store.wait", "store.transaction"]);
    expect(received[0]!.headers["x-team"]).toBe("blue");
    expect(JSON.stringify(received[0]!.resource)).toContain('"wires"');
    for (const secret of ["a secret text", ann.key, "ben"])
      expect(JSON.stringify(received)).not.toContain(secret);
  });

  it("shows for how long a request was held", async () => {
    const held = send("/v1/inbox?wait=1", {}, { authorization: `Bearer ${ben.key}`, traceparent: CONTEXT });
    const span = await held;
    expect(span.name).toBe("inbox.read");
    const next = await send("/v1/inbox?wait=1", {});
    // A timer that fires a little early begins another part.
    expect(new Set(partsOf(next))).toEqual(new Set(["hold"]));
  });

  it("takes the context of an MCP message from its metadata", async () => {
    const call = { name: "read_inbox", arguments: {}, _meta: { traceparent: CONTEXT } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
    const span = await send("/mcp", post(message), { accept: "application/json, text/event-stream" });
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(span.name).toBe("mcp.read_inbox");
    expect(attribute(span, "http.route")).toBe("/mcp");
  });

  it.each([
    `01-${TRACE}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01-what-the-future-brings`,
    `01-${TRACE}-${PARENT}-01-`,
  ])("reads the first four fields of a context of a later version (%#)", async (traceparent) => {
    const span = await send("/v1/profile", {}, { traceparent });
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  });

  it.each([
    "",
    "x",
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `ff-${TRACE}-${PARENT}-01-x`,
    `${CONTEXT}-x`,
    `01-${TRACE}-${PARENT}-01x`,
    `${CONTEXT}${"-x".repeat(5_000)}`,
  ])("begins a trace of its own for a malformed context (%#)", async (traceparent) => {
    const span = await send("/v1/profile", {}, { traceparent });
    expect(span.parentSpanId ?? "").toBe("");
    expect(span.traceId).not.toBe(TRACE);
  });

  it("records nothing that its caller has not sampled", async () => {
    const before = spans().length;
    const headers = { authorization: `Bearer ${ann.key}`, traceparent: CONTEXT.replace(/01$/, "00") };
    expect((await fetch(`${daemon.origin}/v1/profile`, { headers })).status).toBe(200);
    await send("/v1/profile", {});
    expect(spans().length).toBe(before + 1);
  });

  describe("links a reader to the trace in which a wire was sent", () => {
    const [first, second] = ["1".repeat(32), "2".repeat(32)];
    const sent = async (traceparent: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${ann.key}`, "content-type": "application/json", traceparent };
      const response = await fetch(`${daemon.origin}/v1/wires`, { ...post(body), headers });
      return ((await response.json()) as Body).id;
    };
    const linksOf = async (path: string) => {
      const span = await send(path, {}, { authorization: `Bearer ${ben.key}` });
      expect(span.parentSpanId ?? "").toBe("");
      return (span.links ?? []).map(({ traceId, spanId }: Body) => `${traceId}-${spanId}`);
    };

    it("of each wire on a page, whatever the wire's own trace is", async () => {
      const root = await sent(`00-${first}-${PARENT}-01`, { to: "ben", text: "one" });
      await sent(`00-${second}-${PARENT}-01`, { to: "ben", text: "two", reply_to: root });
      // A sender without a trace, and one whose trace is not sampled.
      await ann.post("/wires", { to: "ben", text: "three", reply_to: root });
      await sent(`00-${"3".repeat(32)}-${PARENT}-00`, { to: "ben", text: "four", reply_to: root });
      const both = [`${first}-${PARENT}`, `${second}-${PARENT}`];
      for (const path of [`/v1/threads/${root}`, "/v1/inbox?limit=100"])
        expect((await linksOf(path)).filter((link: string) => !link.startsWith(TRACE)).sort()).toEqual(both);
      expect(await linksOf(`/v1/wires/${root}`)).toEqual([both[0]]);
      expect(await linksOf("/v1/profile")).toEqual([]);
    });

    it("without the fields that only a later version has", async () => {
      const id = await sent(`01-${first}-${PARENT}-03${"-x".repeat(2_000)}`, { to: "ben", text: "later" });
      expect(await linksOf(`/v1/wires/${id}`)).toEqual([`${first}-${PARENT}`]);
      const stored = await withDatabase(daemon.dataDir, (database) =>
        database.all<Body>("SELECT traceparent FROM wire_traces WHERE id = ?", id),
      );
      expect(stored).toEqual([{ traceparent: `00-${first}-${PARENT}-01` }]);
    });

    it("of the reply that a question waited for", async () => {
      const question = send("/v1/wires", post({ to: "ben", text: "question", wait_for_reply: 20 }));
      let id: string | undefined;
      await expect
        .poll(async () => {
          const { wires } = (await ben.get("/inbox?limit=100")).body;
          id = wires.find(({ text_body }: Body) => text_body === "question")?.id;
          return id;
        })
        .toBeDefined();
      const headers = { authorization: `Bearer ${ben.key}`, "content-type": "application/json" };
      const answer = post({ to: "ann", text: "answer", reply_to: id });
      const traceparent = `00-${second}-${PARENT}-01`;
      await fetch(`${daemon.origin}/v1/wires`, { ...answer, headers: { ...headers, traceparent } });
      expect((await question).links).toMatchObject([{ traceId: second, spanId: PARENT }]);
    });

    it("in the same transaction as the wire, and only for a week", async () => {
      const count = () =>
        withDatabase(daemon.dataDir, (database) => database.all("SELECT id FROM wire_traces"));
      expect((await count()).length).toBeGreaterThan(2);
      await withDatabase(daemon.dataDir, (database) =>
        database.run("UPDATE wire_traces SET created_at = created_at - ?", 7 * 86_400_000),
      );
      await daemon.restart();
      await expect.poll(async () => (await count()).length, { timeout: 10_000 }).toBe(0);
    });
  });
});

describe("a daemon without an endpoint", () => {
  /** Reports each package of OpenTelemetry that is loaded. */
  const hook = `export const resolve = (name, context, next) => {
    if (name.includes("opentelemetry")) console.error("LOADED", name);
    return next(name, context);
  };`;
  const toUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const NODE_OPTIONS = `--import=${toUrl(`import { register } from "node:module"; register(${JSON.stringify(toUrl(hook))});`)}`;

  // The store plays no part in this.
  it.skipIf(ENGINE === "postgres").each([
    [false, {}],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }],
  ])("loads OpenTelemetry: %s", async (isLoaded, variables) => {
    const other = await startDaemon({ env: { NODE_OPTIONS, ...variables } });
    const agent = await other.createAgent("agent");
    await agent.post("/wires", { to: "agent", text: "hello" });
    await other.stop();
    expect(other.log().includes("LOADED")).toBe(isLoaded);
  });
});
