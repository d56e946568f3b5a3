import { afterAll, describe, expect, it } from "vitest";
import { type Candidate, Validators } from "../../src/service/validation/index.js";
import { ValidatorPool } from "../../src/service/validation/pool.js";
import { slowSchema, timeoutVerdict } from "./slow-schema.js";

/** The worker threads run the build output, so `npm run build` comes first. */
const validators = new Validators();
const pool = new ValidatorPool();
afterAll(() => {
  validators.close();
  pool.close();
});

const item: Candidate = {
  key: "item@1",
  document: {
    type: "object",
    properties: {
      name: { type: "string", maxLength: 20 },
      at: { format: "date-time" },
      tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
    },
    required: ["name"],
    additionalProperties: false,
  },
};
const code: Candidate = { key: "code@1", document: { type: "string", pattern: "^[A-Z]{3}$" } };
const text: Candidate = { key: "text@1", document: { type: "string" } };
const large: Candidate = {
  key: "large@1",
  document: { type: "array", items: { type: "integer" }, description: "x".repeat(8_000) },
};

/** Counts the turns of the event loop during the work. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const markDone = () => {
    isOver = true;
  };
  work.then(markDone, markDone);
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  return turns;
}

/**
 * Returns whether microtasks alone complete the work. A message from a thread needs another turn of the event
 * loop.
 */
async function completesInThisTurn(work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const completed = work.then(() => {
    isOver = true;
  });
  for (let microtask = 0; microtask < 100; microtask++) await Promise.resolve();
  const inThisTurn = isOver;
  await completed;
  return inThisTurn;
}

describe("the validation of a payload", () => {
  const payloads = [
    { name: "bolt", at: "2026-01-02T03:04:05Z", tags: ["a", "b"] },
    { name: "bolt", at: "yesterday", tags: ["a", "a", "c"], more: 1 },
    { name: "x".repeat(3_000) },
    ["a"],
    "ABC",
    "abc",
    null,
    Array.from({ length: 2_000 }, (_, n) => n),
  ];
  const candidates = [[item], [text, item], [code, item], [large], [large, code, item, text], [item, item]];
  const cases = candidates.flatMap((some) => payloads.map((payload) => ({ some, payload })));

  it.each(cases)(
    "has the same verdict on the event loop as in a thread: case %#",
    async ({ some, payload }) => {
      expect(await validators.validate("account", some, payload)).toEqual(
        await pool.validate("account", some, payload),
      );
    },
  );

  it("completes in the same turn of the event loop if payload and schema are small", async () => {
    expect(await completesInThisTurn(validators.validate("account", [item], { name: "bolt" }))).toBe(true);
    expect(await completesInThisTurn(validators.validate("account", [large], [1]))).toBe(false);
    expect(await completesInThisTurn(validators.validate("account", [code], "ABC"))).toBe(false);
  });

  it("does not block the event loop if it is slow, and other payloads under its schema still get a verdict", async () => {
    const slow = slowSchema("slow");
    for (let n = 0; n < 3; n++) {
      const verdict = validators.validate("account", [text, slow], { a: 1 });
      expect(await turnsDuring(verdict)).toBeGreaterThan(20);
      // On a busy machine, the time may run out before the slow schema has its turn.
      expect([timeoutVerdict(0), timeoutVerdict(1)]).toContainEqual(await verdict);
      expect(await validators.validate("account", [text, slow], "short")).toEqual({ accepted: 0 });
    }
  });
});
