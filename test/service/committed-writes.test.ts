/** Writes that are committed, and reads after them that fail. */
import { expect, it } from "vitest";
import { type Session, StoreUnavailable } from "../../src/store/engine/engine.js";
import { serviceFixture } from "./service-calls.js";

const logged: unknown[] = [];
const log = { warn: () => undefined, error: (fields: unknown) => logged.push(fields) };
const { store, call, signUp, createAgent } = await serviceFixture({}, log);
const alice = await createAgent(await signUp("alice"), "alice");

/** The store, with reads that fail outside of transactions. */
function storeThatFails(error: Error) {
  const reader = new Proxy({} as Session, {
    get() {
      throw error;
    },
  });
  return Object.create(store, {
    engine: { value: Object.create(store.engine, { reader: { value: reader } }) },
  });
}

// [D2-unavailable] [D14-ask-stored]
it.each([new StoreUnavailable("the database is gone"), new Error("a defect")])(
  "are answered although the reads after them fail: %s",
  async (error) => {
    const broken = storeThatFails(error);
    const wire = await call(alice, "wires.send", { to: "alice", text: "hi", wait_for_reply: 1 }, broken);
    expect(wire).toMatchObject({ id: expect.any(String), reply: null });
    expect(logged.splice(0)).toMatchObject([{ err: error }]);
    const slug = `space-${wire.id.slice(-12)}`;
    await call(alice, "spaces.create", { slug, visibility: "public" }, broken);
    expect(await call(alice, "spaces.get", { slug })).toMatchObject({ slug });
  },
);
