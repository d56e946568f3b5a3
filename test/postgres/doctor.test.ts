/** What `wireroom doctor` says of a database server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { Machine } from "../harness/machine.js";
import { createDatabase, createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";

let machine: Machine;
let url: string;
beforeAll(async () => {
  machine = await Machine.make();
  url = await createDatabase();
});
afterAll(async () => {
  await machine.end();
  await dropDatabase(url);
});

/** Its checks by name. */
async function examined(databaseUrl: string): Promise<Body> {
  const env = { WIREROOM_DATABASE_URL: databaseUrl };
  const { stdout } = await machine.run(["doctor", "--json"], { env });
  const { checks } = JSON.parse(stdout) as { checks: Body[] };
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

it("one that a daemon can start on is healthy [C-doctor]", async () => {
  const checks = await examined(url);
  expect(checks.database).toMatchObject({ status: "ok" });
  expect(checks.database.message).toMatch(/answers, PostgreSQL \d+/);
  expect(checks.schema).toMatchObject({ status: "ok" });
});

it("one without tables is as it was afterwards [C-doctor] [C-doctor-undisturbed]", async () => {
  const empty = await createEmptyDatabase();
  const { schema } = await examined(empty);
  expect(schema.message).toMatch(/[1-9]\d* migrations are left/);
  expect((await examined(empty)).schema).toEqual(schema);
  await dropDatabase(empty);
});

it("one that cannot be reached fails, and no password is shown [C-doctor]", async () => {
  const gone = new URL(url);
  gone.password = "swordfish";
  gone.pathname = "/none";
  const { database } = await examined(gone.href);
  expect(database).toMatchObject({ status: "fail" });
  expect(database.message).toContain("cannot open the database");
  expect(JSON.stringify(database)).not.toContain("swordfish");
});
