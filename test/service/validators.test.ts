import { afterAll, describe, expect, it } from "vitest";
import { type Candidate, Validators } from "../../src/service/validation/index.js";
import { ValidatorPool } from "../../src/service/validation/pool.js";
import { endless, timedOut } from "./endless.js";

/** The threads run what `npm run build` has made of the sources. */
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

/** Turns of the event loop while the work is under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  return turns;
}

describe("a payload", () => {
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

  it.each(cases)("gets the verdict of a thread, whoever validates it: case %#", async ({ some, payload }) => {
    expect(await validators.validate(some, payload)).toEqual(await pool.validate(some, payload));
  });

  it("that is small, under a small schema, has its verdict before the next turn of the event loop", async () => {
    expect(await turnsDuring(validators.validate([item], { name: "bolt" }))).toBe(1);
    expect(await turnsDuring(validators.validate([large], [1]))).toBeGreaterThan(1);
    expect(await turnsDuring(validators.validate([code], "ABC"))).toBeGreaterThan(1);
  });

  it("that takes long does not hold up the event loop, and other payloads under its schema are still judged", async () => {
    const slow = endless("slow");
    for (let n = 0; n < 3; n++) {
      const verdict = validators.validate([text, slow], { a: 1 });
      expect(await turnsDuring(verdict)).toBeGreaterThan(20);
      expect(await verdict).toEqual(timedOut(1));
      expect(await validators.validate([text, slow], "short")).toEqual({ accepted: 0 });
    }
  });
});
