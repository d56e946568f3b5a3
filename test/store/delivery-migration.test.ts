/** Migration of a database from before delivery receipts. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { now } from "../../src/kernel/clock.js";
import type { Engine } from "../../src/store/engine/engine.js";
import { delivery } from "../../src/store/engine/migrations/0009-delivery.js";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import { deliveriesOf, moveCheckpoints } from "../../src/store/inbox/checkpoints.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const folder = new TemporaryFolder("delivery-");

/** Stores a handle whose inbox has three wires, the first of which it has read. */
async function seed(engine: Engine): Promise<void> {
  await engine.write(async (tx) => {
    for (const statement of [
      "INSERT INTO accounts (pk, id, issuer, subject, email, created_at) VALUES (1, 'a', 'i', 's', 'e', 1)",
      `INSERT INTO handles (pk, id, slug, account, tags, discoverable, contact_policy, inbox_rule, created_at)
       VALUES (1, 'h', 'bob', 1, '[]', 0, 'open', '{}', 1)`,
      "INSERT INTO checkpoints (handle, seq) VALUES (1, 1)",
    ])
      await tx.run(statement);
    for (const pk of [1, 2, 3]) {
      await tx.run(
        `INSERT INTO wires (pk, id, sender, sender_no, recipient, thread, created_at, doc) VALUES (?1, ?2, 1, ?1, 1, ?1, 1, '{}')`,
        [pk, `w${pk}`],
      );
      await tx.run("INSERT INTO inbox (handle, seq, kind, ref) VALUES (1, ?1, 1, ?1)", [pk]);
    }
  });
}

// [D14-receipts-update]
it("the time of a read before the migration is that of the migration", async () => {
  const file = join(folder.path, "old.db");
  let engine: Engine = await SqliteEngine.open(file);
  await seed(engine);
  await engine.write(async (tx) => {
    for (const statement of [
      "DROP VIEW moved_checkpoints",
      "DROP TABLE receipts",
      "ALTER TABLE handles DROP COLUMN delivery_receipts",
      `DELETE FROM migrations WHERE id = ${delivery.id}`,
    ])
      await tx.run(statement);
  });
  await engine.close();

  const before = now();
  engine = await SqliteEngine.open(file);
  const migrated = now();
  const stateOf = async (pk: number) =>
    (await deliveriesOf(engine.reader, [{ pk, doc: '{"created_at":"then"}' }])).get(pk);
  const read = (await stateOf(1))!;
  expect(read.state).toBe("read");
  expect(Date.parse(read.at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(read.at)).toBeLessThanOrEqual(migrated);
  expect(await stateOf(2)).toEqual({ state: "queued", at: "then" });

  const at = migrated + 1_000;
  await engine.writeBatched(moveCheckpoints, { handle: 1, seq: 2, at });
  expect(await stateOf(2)).toEqual({ state: "read", at: new Date(at).toISOString() });
  expect(await stateOf(3)).toEqual({ state: "queued", at: "then" });
  await engine.close();
});
