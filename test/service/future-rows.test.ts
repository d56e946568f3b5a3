/** Times from the future, which were stored before the clock was set back. */
import { expect, it } from "vitest";
import { moveFutureRowsToNow } from "../../src/store/limits/future-rows.js";
import { serviceFixture } from "./service-calls.js";

const { store, signUp, createAgent } = await serviceFixture();

// [D4-clock]
it("include the last use of a key, which no later use would change", async () => {
  await createAgent(await signUp("alice"), "alice");
  const { engine } = store;
  const hour = 3_600_000;
  await engine.write((tx) => tx.run("UPDATE api_keys SET last_used_at = ?", [Date.now() + hour]));
  await engine.write((tx) => moveFutureRowsToNow(tx, Date.now()));
  const [key] = await engine.reader.all<{ at: number }>("SELECT last_used_at AS at FROM api_keys");
  expect(key!.at).toBeLessThanOrEqual(Date.now());
});
