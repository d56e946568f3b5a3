/** The request handlers of `@wireroom/sdk/msw`. */

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, expectTypeOf, it } from "vitest";
import { KnockRequiredError, RateLimitedError, type Wire } from "../../sdk/src/index.js";
import { exampleHandlers, wireroomHandlers } from "../../sdk/src/msw/index.js";
import { OPERATIONS } from "../../sdk/src/operations.js";
import { ERRORS } from "../../src/contract/errors.js";
import { operations } from "../../src/contract/index.js";
import { NO_ITEMS } from "../harness/api-helpers.js";
import { mockService } from "../harness/mock-service.js";

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const service = mockService();

/** Returns the examples of the fields of an operation. A path parameter cannot be left out. */
function exampleInput(id: string): object {
  const { fields } = OPERATIONS.find((operation) => operation.id === id)!;
  const required = Object.entries(fields).filter(([, field]) => field.required);
  return Object.fromEntries(required.map(([name, field]) => [name, field.example]));
}

describe("the example handlers", () => {
  it("answer every operation with an output that the contract allows, and its status", async () => {
    service.use(...exampleHandlers);
    const clients = { key: service.agent(), token: service.dashboard() };
    for (const { id, auth, output, stream, status } of operations) {
      const operation = OPERATIONS.find((each) => each.id === id)!;
      const isValid = ajv.compile(output);
      const outputs: unknown[] = [];
      if (stream) {
        for await (const line of clients[auth].lines(operation, exampleInput(id))) outputs.push(line);
        expect(outputs.at(-1)).toMatchObject({ type: "end", lines: outputs.length - 1 });
      } else {
        const { data, response } = await clients[auth].call(operation, exampleInput(id)).withResponse();
        expect(response.status, id).toBe(status);
        outputs.push(data);
      }
      for (const each of outputs)
        expect(isValid(each), `${id}: ${ajv.errorsText(isValid.errors)}`).toBe(true);
    }
  });

  it("give a listener each item once, and let it wait for more", async () => {
    service.use(...exampleHandlers);
    const kinds: string[] = [];
    for await (const item of service.agent().inbox.listen({ signal: AbortSignal.timeout(200) }))
      kinds.push(item.kind);
    expect(kinds.sort()).toEqual(["approval_notice", "knock", "space_notice", "tombstone_notice", "wire"]);
  });

  it("answer with an empty page after the wait", async () => {
    service.use(...exampleHandlers);
    const wr = service.agent();
    const { next_cursor: cursor } = await wr.inbox.read();
    const started = performance.now();
    const page = await wr.inbox.read({ cursor, wait: 1 });
    expect(page).toEqual({ ...NO_ITEMS, next_cursor: cursor });
    expect(performance.now() - started).toBeGreaterThan(900);
  });
});

describe("a handler", () => {
  const { wires, spaces, knocks, account } = wireroomHandlers;

  it("gets the input of the path, the query and the body with its types", async () => {
    const seen: object[] = [];
    const note = ({ input }: { input: object }) => void seen.push(input);
    service.use(spaces.search(note), wires.vote(note), wires.send(note));
    const wr = service.agent();
    await wr.spaces.search({ slug: "ops", q: "a&b", limit: 5 });
    await wr.wires.vote({ id: "http://wireroom.test/v1/wires/1" });
    await wr.wires.send({ to: "@bob", payload: { n: [1, null] } });
    expect(seen).toEqual([
      { slug: "ops", q: "a&b", limit: 5 },
      { id: "http://wireroom.test/v1/wires/1" },
      { to: "@bob", payload: { n: [1, null] } },
    ]);
  });

  it("answers with a part of the output, which the example completes", async () => {
    service.use(wires.send(({ input, count }) => ({ id: `${input.to} ${count}` })));
    const wr = service.agent();
    expect(await wr.wires.send({ to: "@bob", text: "hi" })).toEqual({ ...wires.send.example, id: "@bob 1" });
    expect((await wr.wires.send({ to: "@bob", text: "hi" })).id).toBe("@bob 2");
  });

  it("answers a held wire with 202", async () => {
    service.use(wires.send({ status: "held" }));
    const { data, response } = await service.agent().wires.send({ to: "@bob", text: "hi" }).withResponse();
    expect([response.status, data.status]).toEqual([202, "held"]);
  });

  it("refuses by code, with the status, the condition and the time to wait", async () => {
    service.use(
      wires.send(({ error, input }) =>
        input.to === "@bob" ? error("KNOCK_REQUIRED") : error("RATE_LIMITED", { retry_after: 90 }),
      ),
    );
    const wr = service.agent();
    const refused = await wr.wires.send({ to: "@bob", text: "hi" }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(KnockRequiredError);
    const { status, condition: message } = ERRORS.KNOCK_REQUIRED;
    expect(refused).toMatchObject({ status, message });
    const limited = await wr.wires.send({ to: "@eve", text: "hi" }).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(RateLimitedError);
    expect(limited).toMatchObject({ retryAfter: 90 });
  });

  it("answers once if it is asked to, and any response", async () => {
    service.use(...exampleHandlers);
    service.use(wires.send(new Response("<h1>Bad Gateway</h1>", { status: 502 }), { once: true }));
    const wr = service.agent({ maxRetries: 0 });
    await expect(wr.wires.send({ to: "@bob", text: "hi" })).rejects.toMatchObject({ status: 502 });
    expect(await wr.wires.send({ to: "@bob", text: "hi" })).toEqual(wires.send.example);
  });

  it("streams the given lines", async () => {
    service.use(account.export([{ type: "end", lines: 0 }]));
    const lines: unknown[] = [];
    for await (const line of service.dashboard().account.export()) lines.push(line);
    expect(lines).toEqual([{ type: "end", lines: 0 }]);
  });

  it("has the types of its operation", () => {
    expectTypeOf(wires.get.example).toEqualTypeOf<Wire>();
    // @ts-expect-error: knocks.send cannot fail with this code
    knocks.send(({ error }) => error("VOTING_DISABLED"));
    // @ts-expect-error: an id is a string
    wires.send({ id: 1 });
    // @ts-expect-error: the input has no such field
    wires.send(({ input }) => ({ id: input.subject }));
  });
});
