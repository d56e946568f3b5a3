/** Large and many writes of one account (docs/specification/limits.md#writes). */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, mallory, bob } = await hostedFixture(["mallory", "bob"]);

/** A payload of words that occur in no other payload. */
const manyWords = (n: number) => Array.from({ length: 10_000 }, (_, word) => `w${n}x${word}`).join(" ");

/** Returns the number of transactions so far. */
async function transactions(): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(/^wireroom_store_batch_size_count\{kind="write"\} (\d+)$/m.exec(text)![1]);
}

// [D2-write-turns]
it("large wires of one account take a transaction each, and a wire of another account waits for two of them at most", async () => {
  await mallory.post("/spaces", { slug: "big-room", visibility: "public" });
  const before = await transactions();
  const connection = await Connection.open(join(daemon.dataDir, "wireroom.db"));
  await connection.exec("BEGIN IMMEDIATE");
  const done: string[] = [];
  const large = Array.from({ length: 12 }, async (_, n) => {
    const { status } = await mallory.post("/wires", { to: "#big-room", payload: manyWords(n) });
    done.push(`large ${status}`);
  });
  // The large wires now wait for the transaction, if they were analysed in time.
  await sleep(1_500);
  const small = bob.post("/wires", { to: "#big-room", text: "small" }).then(({ status }) => {
    done.push(`small ${status}`);
  });
  await sleep(100);
  await connection.exec("ROLLBACK");
  await connection.close();
  await Promise.all([...large, small]);
  expect(done.filter((each) => each === "large 201")).toHaveLength(12);
  expect(done.slice(0, 3)).toContain("small 201");
  expect((await transactions()) - before).toBeGreaterThanOrEqual(12);
});
