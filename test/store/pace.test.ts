import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { BatchedWrite, Transaction } from "../../src/store/engine/engine.js";
import { Pace } from "../../src/store/retention/pace.js";

/** A pace whose steps get their results after some milliseconds. */
function paceWithDelay(ms: number): Pace {
  const engine = {
    async writeBatched<Item, Result>(batch: BatchedWrite<Item, Result>, item: Item): Promise<Result> {
      const [result] = await batch.run({} as Transaction, [item]);
      await sleep(ms);
      return result!;
    },
  };
  return new Pace(engine, new AbortController().signal);
}

async function sizesAfterSteps(pace: Pace, options: { isUrgent: boolean }, count: number): Promise<number[]> {
  const sizes: number[] = [];
  for (let n = 0; n < count; n++) {
    await pace.step(async () => pace.size, options);
    sizes.push(pace.size);
  }
  return sizes;
}

it("keeps steps large whose results wait for a busy event loop [D15-retain-deleted]", async () => {
  expect(await sizesAfterSteps(paceWithDelay(20), { isUrgent: false }, 3)).toEqual([32, 32, 32]);
  expect(await sizesAfterSteps(paceWithDelay(40), { isUrgent: true }, 4)).toEqual([32, 64, 96, 96]);
});

it("makes steps small that are slow themselves [D15-retain-deleted]", async () => {
  const pace = paceWithDelay(250);
  expect(await sizesAfterSteps(pace, { isUrgent: true }, 2)).toEqual([4, 1]);
});
