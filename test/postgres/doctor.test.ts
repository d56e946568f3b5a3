/** The checks of `wireroom doctor` for a PostgreSQL server. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { CliSandbox } from "../harness/cli-sandbox.js";
import type { Body } from "../harness/daemon.js";
import { createDatabase, createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";

let machine: CliSandbox;
let url: string;
beforeAll(async () => {
  machine = await CliSandbox.create();
  url = await createDatabase();
});
afterAll(async () => {
  await machine.cleanUp();
  await dropDatabase(url);
});

/** Returns the checks of the doctor by name. */
async function doctorChecks(databaseUrl: string): Promise<Body> {
  const env = { WIREROOM_DATABASE_URL: databaseUrl };
  const { stdout } = await machine.run(["doctor", "--json"], { env });
  const { checks } = JSON.parse(stdout) as { checks: Body[] };
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

// [C-doctor]
it("the doctor reports a database as healthy if a daemon can use it", async () => {
  const checks = await doctorChecks(url);
  expect(checks.database).toMatchObject({ status: "ok" });
  expect(checks.database.message).toMatch(/responds \(PostgreSQL \d+/);
  expect(checks.schema).toMatchObject({ status: "ok" });
});

// [C-doctor]
it("the doctor knows that a running daemon has created the secrets of its provider", async () => {
  await machine.runJson(["up", "--database-url", url]);
  expect((await doctorChecks(url)).identity.message).toBe("embedded provider, with its secrets");
  await machine.run(["down"]);
});

// [C-doctor] [C-doctor-undisturbed]
it("the doctor reports an empty database, and does not change it", async () => {
  const empty = await createEmptyDatabase();
  const { schema } = await doctorChecks(empty);
  expect(schema.message).toMatch(/[1-9]\d* migrations pending/);
  expect((await doctorChecks(empty)).schema).toEqual(schema);
  await dropDatabase(empty);
});

// [C-doctor]
it("the doctor reports a server that cannot be reached, without the password", async () => {
  const gone = new URL(url);
  gone.password = "swordfish";
  gone.pathname = "/none";
  const { database } = await doctorChecks(gone.href);
  expect(database).toMatchObject({ status: "fail" });
  expect(database.message).toContain("cannot open the database");
  expect(JSON.stringify(database)).not.toContain("swordfish");
});
