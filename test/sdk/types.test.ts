/** Type tests. They fail at compile time, in `npm run check:types`. */
import { describe, expectTypeOf, it } from "vitest";
import {
  type ErrorCode,
  type InboxItem,
  type Knock,
  KnockRequiredError,
  type Page,
  type PostingRights,
  type Reason,
  type ReceivedItem,
  type ReceivedWire,
  type RuleSource,
  type SchemaValidationFailedError,
  type Wire,
  type Wireroom,
  type WireroomDashboard,
  WireroomError,
  type WireroomOptions,
} from "../../sdk/src/index.js";
import type { Input, OperationId, Output } from "../../src/contract/index.js";

interface Order {
  city: string;
  days: number;
}

/** This function is never called: only the compiler checks it. */
async function misuse(wr: Wireroom, dashboard: WireroomDashboard): Promise<void> {
  // @ts-expect-error: `to` is required
  await wr.wires.send({ text: "hi" });
  // @ts-expect-error: no such field
  await wr.wires.send({ to: "@bob", body: "hi" });
  // @ts-expect-error: payload of another type
  await wr.wires.send<Order>({ to: "@bob", payload: { city: "Oslo" } });
  // @ts-expect-error: no such sort order
  await wr.spaces.feed({ slug: "ops", order: "hottest" });
  // @ts-expect-error: the last page has no next cursor
  await wr.contacts.list({ cursor: (await wr.contacts.list()).next_cursor });
  // @ts-expect-error: agent clients have no key operations
  await wr.keys.list();
  // @ts-expect-error: dashboard clients cannot send wires
  await dashboard.wires.send({ to: "@bob", text: "hi" });
  // @ts-expect-error: agent clients accept no ID token
  const options: WireroomOptions = { idToken: "x" };
  // @ts-expect-error: the address of a reply is that of the wire
  await wr.wires.reply(await wr.wires.get({ id: "w" }), { to: "@bob", text: "hi" });
  // @ts-expect-error: `ask` itself chooses how long a request waits
  await wr.wires.ask({ to: "@bob", text: "hi", wait_for_reply: 5 });
  // @ts-expect-error: no such decision
  await wr.inbox.work(() => {}, { onError: () => "ignore" });
  // @ts-expect-error: no such option of a call
  await wr.profile.get({ retries: 3 });
  void options;
}
void misuse;

/** This function is never called: only the compiler checks it. */
async function use(wr: Wireroom): Promise<void> {
  const wire = await wr.wires.get<Order>({ id: "w" });
  expectTypeOf(wire).toEqualTypeOf<Wire<Order>>();
  expectTypeOf(wire.payload).toEqualTypeOf<Order | null>();
  expectTypeOf((await wr.wires.get({ id: "w" })).payload).toBeUnknown();
  const sent = await wr.wires.send<Order>({
    to: "@bob",
    payload: { city: "Oslo", days: 3 },
    wait_for_reply: 5,
  });
  expectTypeOf(sent.reply).toEqualTypeOf<Wire | null | undefined>();
  const { data, response } = await wr.spaces.feed<Order>({ slug: "ops" }).withResponse();
  expectTypeOf(data.wires).toEqualTypeOf<Wire<Order>[]>();
  expectTypeOf(data.next_cursor).toEqualTypeOf<string | null>();
  expectTypeOf(response.headers).toEqualTypeOf<Headers>();
  for await (const one of wr.spaces.feed<Order>({ slug: "ops" }))
    expectTypeOf(one).toEqualTypeOf<Wire<Order>>();
  for await (const item of wr.inbox.listen<Order>()) {
    expectTypeOf(item).toEqualTypeOf<ReceivedItem<Order>>();
    expectTypeOf(item).toExtend<InboxItem<Order>>();
    if (item.kind === "wire") expectTypeOf(item.wire.payload).toEqualTypeOf<Order | null>();
    if (item.kind === "wire")
      expectTypeOf(item.wire.reply({ text: "hi" })).resolves.toExtend<{ id: string }>();
    if (item.kind === "tombstone_notice") expectTypeOf(item.notice.wire_id).toBeString();
  }
  for await (const posted of wr.spaces.listen<Order>("ops"))
    expectTypeOf(posted).toEqualTypeOf<ReceivedWire<Order>>();
  for await (const posted of wr.threads.listen("w", { start: "beginning" }))
    expectTypeOf(posted).toExtend<Wire>();
  const answer = await wr.wires.ask<Order>({ to: "@bob", text: "hi" }, { timeout: 1_000 });
  expectTypeOf(answer).toEqualTypeOf<ReceivedWire<Order>>();
  await wr.inbox.work<Order>((received) => expectTypeOf(received).toEqualTypeOf<ReceivedItem<Order>>(), {
    onError: (_, { attempt }) => (attempt < 3 ? "retry" : { retryIn: 10 }),
  });
  for (const entity of await wr.switchboard.search({ type: "spaces" }))
    if (entity.type === "space") expectTypeOf(entity.posting_rights).toEqualTypeOf<PostingRights>();
}
void use;

type Method<Id extends OperationId> = Id extends `${infer Noun}.${infer Verb}`
  ? Noun extends keyof Wireroom
    ? Verb extends keyof Wireroom[Noun]
      ? Wireroom[Noun][Verb]
      : never
    : never
  : never;
type MethodInput<Id extends OperationId> =
  Method<Id> extends (input: infer Taken, ...rest: never[]) => unknown ? Taken : never;
type MethodOutput<Id extends OperationId> =
  Method<Id> extends (...args: never[]) => PromiseLike<infer Answer> ? Answer : never;

describe("the SDK types", () => {
  it("of inputs accept every input of the contract", () => {
    expectTypeOf<Input<"wires.send">>().toExtend<MethodInput<"wires.send">>();
    expectTypeOf<Input<"spaces.update">>().toExtend<MethodInput<"spaces.update">>();
    expectTypeOf<Input<"spaces.feed">>().toExtend<MethodInput<"spaces.feed">>();
    expectTypeOf<Input<"schemas.register">>().toExtend<MethodInput<"schemas.register">>();
    expectTypeOf<Input<"inbox.read">>().toExtend<NonNullable<MethodInput<"inbox.read">>>();
  });

  it("of outputs match the contract", () => {
    expectTypeOf<MethodOutput<"wires.send">>().toEqualTypeOf<Output<"wires.send">>();
    expectTypeOf<MethodOutput<"knocks.list">>().toEqualTypeOf<Page<Output<"knocks.list">, Knock>>();
    type Members = Output<"spaces.members">;
    expectTypeOf<MethodOutput<"spaces.members">>().toEqualTypeOf<Page<Members, Members["members"][number]>>();
    expectTypeOf<MethodOutput<"switchboard.search">>().toExtend<Output<"switchboard.search">>();
    expectTypeOf<MethodOutput<"limits.get">>().toEqualTypeOf<Output<"limits.get">>();
  });

  it("of errors are determined by `code`", () => {
    const details = (error: unknown) => {
      if (!(error instanceof WireroomError)) throw error;
      expectTypeOf(error).toEqualTypeOf<WireroomError>();
      switch (error.code) {
        case "SCHEMA_VALIDATION_FAILED":
          expectTypeOf(error).toEqualTypeOf<SchemaValidationFailedError>();
          return expectTypeOf(error.ruleSource).toEqualTypeOf<RuleSource>();
        case "POSTING_DENIED":
          return expectTypeOf(error.ruleSource).toEqualTypeOf<RuleSource | undefined>();
        case "KNOCK_REQUIRED":
          return expectTypeOf(error.ruleSource).toEqualTypeOf<undefined>();
        case "TIMEOUT":
          return expectTypeOf(error.mayHaveArrived).toEqualTypeOf<boolean>();
        // @ts-expect-error: no such code
        case "TEAPOT":
      }
    };
    void details;
  });

  it("of errors contain their code and fields", () => {
    expectTypeOf<KnockRequiredError["code"]>().toEqualTypeOf<"KNOCK_REQUIRED">();
    expectTypeOf<KnockRequiredError>().toExtend<WireroomError>();
    expectTypeOf<WireroomError["status"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<WireroomError["ruleSource"]>().toEqualTypeOf<RuleSource | undefined>();
    expectTypeOf<WireroomError["errors"]>().toEqualTypeOf<readonly Reason[]>();
    expectTypeOf<"RATE_LIMITED">().toExtend<ErrorCode>();
    expectTypeOf(KnockRequiredError).toBeConstructibleWith("knock first", { code: "KNOCK_REQUIRED" });
  });
});
