/** Daemons of two successive versions on one database, during an update. */
import { afterEach, describe, expect, it } from "vitest";
import { migrations } from "../../src/store/engine/migrations/index.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { expectOk } from "../harness/api-helpers.js";
import { type Body, startDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { runInProcess } from "../harness/in-process.js";
import { createDatabase, createEmptyDatabase } from "../harness/postgres-server.js";
import { ServerSessions, waitingFor } from "../harness/server-sessions.js";

/** Takes back what the migrations 14 to 16 changed. */
const BEFORE_SENDER_INDEX = [
  "DELETE FROM migrations WHERE id BETWEEN 14 AND 16",
  "DROP INDEX wires_of_sender",
  "DROP INDEX approvals_sent",
  "ALTER TABLE approvals DROP COLUMN wire",
  "CREATE INDEX wires_by_sender ON wires (sender, created_at, sender_no)",
  "CREATE INDEX wires_sent ON wires (sender, pk, recipient, space)",
];
const INDEXES =
  "SELECT indexname FROM pg_indexes WHERE indexname IN ('wires_of_sender', 'wires_by_sender', 'wires_sent')";

const sessions = new ServerSessions();
afterEach(() => sessions.close());

describe("the migrations", () => {
  it("of the index by sender wait for an older daemon, and cause no deadlock with it", async () => {
    const url = await sessions.database(createDatabase);
    const older = await sessions.connect(url);
    const observer = await sessions.connect(url);
    for (const statement of BEFORE_SENDER_INDEX) await older.query(statement);
    for (const [held, wanted] of [
      ["SELECT 1 FROM wires", "DELETE FROM wires"],
      ["DELETE FROM wires", "DELETE FROM approvals"],
    ]) {
      const before = await observer.query("SELECT id FROM migrations");
      await older.query(`BEGIN; ${held} WHERE pk < 0`);
      const opened = PostgresEngine.open(url);
      opened.catch(() => undefined);
      await expect
        .poll(() => waitingFor("relation", observer), { timeout: 20_000, interval: 20 })
        .toHaveLength(1);
      await older.query(`${wanted} WHERE pk < 0`);
      await older.query("COMMIT");
      await (await opened).close();
      expect((await observer.query(INDEXES)).rows).toEqual([{ indexname: "wires_of_sender" }]);
      for (const statement of BEFORE_SENDER_INDEX) await older.query(statement);
      expect((await observer.query("SELECT id FROM migrations")).rows).toEqual(before.rows);
    }
  });

  it("run again after a deadlock", async () => {
    const url = await sessions.database(createDatabase);
    const client = await sessions.connect(url);
    await client.query("DELETE FROM migrations WHERE id IN (15, 16)");
    await client.query(`CREATE SEQUENCE attempts;
      CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') <= 2 THEN RAISE EXCEPTION 'on purpose' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fails_twice BEFORE INSERT ON migrations FOR EACH ROW EXECUTE FUNCTION fail_twice()`);
    await (await PostgresEngine.open(url)).close();
    const { rows } = await client.query("SELECT count(*)::int AS n FROM migrations");
    expect(rows).toEqual([{ n: migrations.length }]);
  });

  it("accept a database on which the first of them dropped the former indexes", async () => {
    const url = await sessions.database(createDatabase);
    const client = await sessions.connect(url);
    await client.query("DELETE FROM migrations WHERE id IN (15, 16)");
    await (await PostgresEngine.open(url)).close();
    expect((await client.query(INDEXES)).rows).toEqual([{ indexname: "wires_of_sender" }]);
    const { rows } = await client.query("SELECT count(*)::int AS n FROM migrations");
    expect(rows).toEqual([{ n: migrations.length }]);
  });
});

// [D9-operator-host]
it("wireroom operator does not migrate the database of an older daemon", async () => {
  const url = await sessions.database(createDatabase);
  const client = await sessions.connect(url);
  await client.query("DELETE FROM migrations WHERE id IN (15, 16)");
  const { code, stderr } = await runInProcess(["operator", "list", "--database-url", url]);
  expect(code).toBe(1);
  expect(stderr).toContain("older version of Wireroom; start the daemon of this version once");
  expect((await client.query("SELECT id FROM migrations WHERE id IN (15, 16)")).rows).toEqual([]);
  const empty = await sessions.database(createEmptyDatabase);
  const refused = await runInProcess(["operator", "list", "--database-url", empty]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("not a Wireroom database") });
  const gone = await runInProcess(["operator", "list", "--database-url", `${empty}_none`]);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot open the database") });
});

// [D14-sent-pages]
it("a wire that an older daemon released is in its place among the sent wires", async () => {
  const daemon = await startDaemon({ isHosted: true });
  sessions.onClose(() => daemon.stop());
  const alice = await daemon.createAgent("alice");
  await setEgressPolicy(alice, { mode: "approval", allow: ["@bob"] });
  for (const slug of ["bob", "carol"]) await daemon.createAgent(slug);
  const held = await sendHeldWire(alice, "carol");
  const send = async (text: string) => (await expectOk(alice.post("/wires", { to: "bob", text }), 201)).id;
  const first = await send("first");
  await decideApproval(alice, held);
  const last = await send("last");
  // That version does not know the column.
  await daemon.restart(() =>
    withDatabase(daemon.dataDir, (database) => database.run("UPDATE approvals SET wire = NULL")),
  );
  const sent = async () => {
    const ids: string[] = [];
    for (let query = "?limit=1"; ; ) {
      const { wires, next_cursor } = await expectOk(alice.get(`/sent${query}`));
      ids.push(...wires.map(({ id }: Body) => id));
      if (next_cursor === null) return ids;
      query = `?limit=1&cursor=${encodeURIComponent(next_cursor)}`;
    }
  };
  await expect.poll(sent, { timeout: 10_000 }).toEqual([last, held.id, first]);
});
