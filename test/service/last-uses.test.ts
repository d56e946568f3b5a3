/** Last uses of credentials, saved by a database that is slower than the timer. */
import { expect, it } from "vitest";
import { LastUses } from "../../src/service/pipeline/last-uses.js";

/** Returns last uses, and the saves that have begun and wait to be settled. */
function withSlowSaves() {
  const saves: { uses: (readonly [number, number])[]; resolve(): void; reject(error: Error): void }[] = [];
  const lastUses = new LastUses(
    (uses) =>
      new Promise((resolve, reject) => {
        saves.push({ uses: [...uses], resolve, reject });
      }),
  );
  return { lastUses, saves };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("keeps the uses of a save that fails while the next one waits", async () => {
  const { lastUses, saves } = withSlowSaves();
  lastUses.record(1, 100);
  const first = lastUses.save();
  await nextTurn();
  lastUses.record(2, 200);
  const second = lastUses.save();
  await nextTurn();
  saves[0]!.reject(new Error("no connection"));
  await expect(first).rejects.toThrow("no connection");
  expect([lastUses.unsaved(1), lastUses.unsaved(2)]).toEqual([100, 200]);
  await nextTurn();
  saves[1]!.resolve();
  await second;
  expect(saves[1]!.uses.toSorted()).toEqual([
    [1, 100],
    [2, 200],
  ]);
  expect([lastUses.unsaved(1), lastUses.unsaved(2)]).toEqual([undefined, undefined]);
});

it("shows every use until it is saved, and saves those that were recorded during a save", async () => {
  const { lastUses, saves } = withSlowSaves();
  lastUses.record(1, 100);
  const first = lastUses.save();
  await nextTurn();
  lastUses.record(1, 150);
  lastUses.record(2, 200);
  const second = lastUses.save();
  await nextTurn();
  saves[0]!.resolve();
  await first;
  expect([lastUses.unsaved(1), lastUses.unsaved(2)]).toEqual([150, 200]);
  await nextTurn();
  expect([lastUses.unsaved(1), lastUses.unsaved(2)]).toEqual([150, 200]);
  saves[1]!.resolve();
  await second;
  expect(saves.map(({ uses }) => uses)).toEqual([
    [[1, 100]],
    [
      [1, 150],
      [2, 200],
    ],
  ]);
});
