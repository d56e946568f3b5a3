/** Tests of `schemas.define`: a typed sender, a type guard, and registration. */
import type { XStatic } from "typebox/schema";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type ReceivedWire,
  SchemaValidationFailedError,
  type TypedWire,
  type Wire,
  Wireroom,
} from "../../sdk/src/index.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

interface Order {
  sku: string;
  count: number;
}

const ORDER = {
  type: "object",
  required: ["sku", "count"],
  properties: { sku: { type: "string" }, count: { type: "integer" } },
};

const { daemon, acme, shop } = await hostedFixture(["acme", "shop"]);
const client = (key: string) => new Wireroom({ apiKey: key, baseUrl: daemon.base });
const wr = client(acme.key);
const order = wr.schemas.define<Order>("@acme/order", ORDER);

const document = { type: "object", required: ["city"], properties: { city: { type: "string" } } } as const;
/** The example with typebox in the README. */
const derived = wr.schemas.define<XStatic<typeof document>>("@quotes/order", document);

/** This function is never called: only the compiler checks it. */
async function misuse(wire: Wire): Promise<void> {
  // @ts-expect-error: a property of the payload is missing
  await order.send({ to: "@shop", payload: { sku: "pen" } });
  // @ts-expect-error: a property of the derived type is missing
  await derived.send({ to: "@shop", payload: {} });
  // @ts-expect-error: there is no payload
  await order.send({ to: "@shop", text: "three pens" });
  // @ts-expect-error: a property of the payload is missing
  await order.ask({ to: "@shop", payload: { sku: "pen" } });
  if (order.is(wire)) expectTypeOf(wire).toExtend<TypedWire<Wire, Order>>();
  // @ts-expect-error: the payload may be anything
  if (!order.is(wire)) console.log(wire.payload.sku);
}
void misuse;

describe("schemas.define", () => {
  it("registers a document once, and again only if it has changed", async () => {
    const changed = wr.schemas.define<Order>("@acme/order", { ...ORDER, description: "An order." });
    expect(await order.register({ compat: "backward" })).toEqual({ ref: "@acme/order@1", version: 1 });
    expect(await order.register()).toEqual({ ref: "@acme/order@1", version: 1 });
    expect(await changed.register()).toEqual({ ref: "@acme/order@2", version: 2 });
    expect((await wr.schemas.get({ ref: "@acme/order" })).compat).toBe("backward");
  });

  it("sends payloads, which the service validates, and recognises them", async () => {
    await shop.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: ["@acme/order"] } });
    await order.send({ to: "@shop", payload: { sku: "pen", count: 3 } });
    await wr.wires.send({ to: "@shop", text: "hello" });
    const wrong = order.send({ to: "@shop", payload: { sku: "pen", count: 0.5 } });
    await expect(wrong).rejects.toThrow(SchemaValidationFailedError);

    const { wires } = await client(shop.key).inbox.read();
    const orders = wires.filter((wire) => order.is(wire));
    expectTypeOf(orders).toEqualTypeOf<TypedWire<Wire, Order>[]>();
    expect(orders.map(({ payload }) => payload.sku)).toEqual(["pen"]);
  });

  it("asks with a payload of its type, and returns a reply of another type", async () => {
    const asking = order.ask<{ price: number }>({ to: "@shop", payload: { sku: "cap", count: 1 } });
    for await (const { kind, wire } of client(shop.key).inbox.listen()) {
      if (kind !== "wire" || (wire.payload as Order | null)?.sku !== "cap") continue;
      await wire.reply({ payload: { price: 12 } });
      break;
    }
    const answer = await asking;
    expectTypeOf(answer).toEqualTypeOf<ReceivedWire<{ price: number }>>();
    expect(answer.payload).toEqual({ price: 12 });
  });

  it("tells versions apart if the ref names one", async () => {
    const wire = { schema_ref: "@acme/order@2", payload: {}, tombstone: null } as Wire;
    const is = (ref: string) => wr.schemas.define(ref).is(wire);
    expect(["@acme/order", "@acme/order@2"].map(is)).toEqual([true, true]);
    expect(["@acme/order@1", "@acme/order@22", "@acme/orders", "@acme"].map(is)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(order.is({ ...wire, schema_ref: null })).toBe(false);
    expect(order.is({ ...wire, tombstone: { removed_by: "sender", at: "" }, payload: null })).toBe(false);
  });

  it("does not recognise a wire without its payload, as on a brief page", async () => {
    const { wires } = await client(shop.key).inbox.read({ brief: true });
    expect(wires.map(({ schema_ref }) => schema_ref)).toContain("@acme/order@2");
    expect(wires.filter((wire) => order.is(wire))).toEqual([]);
  });

  it("cannot register without a document, or a version that exists", async () => {
    await expect(wr.schemas.define("@acme/order").register()).rejects.toThrow(TypeError);
    await expect(wr.schemas.define("@acme/order@1", ORDER).register()).rejects.toThrow("names a version");
  });
});
