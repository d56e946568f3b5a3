/** The pages of an export while the clock is set back. */
import { expect, it } from "vitest";
import { sentWires } from "../../src/store/accounts/owned.js";
import { moveFutureRowsToNow } from "../../src/store/limits/future-rows.js";
import { serviceFixture } from "./service-calls.js";

const { store, call, signUp, createAgent } = await serviceFixture();

// [D9-export-once]
it("contain each sent wire once, although their times are corrected between two pages", async () => {
  const agent = await createAgent(await signUp("alice"), "alice");
  const ids: string[] = [];
  for (let n = 0; n < 6; n++)
    ids.push((await call(agent, "wires.send", { to: "alice", text: `wire ${n}` })).id);
  const { engine } = store;
  const hour = 3_600_000;
  await engine.write((tx) =>
    tx.run(`UPDATE wires SET created_at = created_at + ${hour} WHERE id IN (?, ?, ?, ?)`, ids.slice(2)),
  );
  const owner = { pk: agent.pk, id: agent.id, account: agent.account.pk };
  const first = await sentWires(engine.reader, owner, undefined, 3);
  await engine.write((tx) => moveFutureRowsToNow(tx, Date.now()));
  const second = await sentWires(engine.reader, owner, first.at(-1), 10);
  const found = [...first, ...second].map(({ doc }) => JSON.parse(doc!).id);
  expect(found).toEqual(ids);
  // Retention may delete the last wire of a page.
  await engine.write((tx) => tx.run("DELETE FROM wires WHERE id = ?", [ids[3]!]));
  expect(await sentWires(engine.reader, owner, second.at(0), 10)).toHaveLength(2);
});
