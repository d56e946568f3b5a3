/**
 * The SQL scripts of docs/deploy, on a server directly after initdb. The daemon's role needs to own only its
 * tables.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { startDaemon } from "../harness/daemon.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";

const textOf = (file: string) =>
  readFileSync(join(import.meta.dirname, "../../docs/deploy", file), "utf8")
    .replace(/^--.*$/gm, "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

let server: EmbeddedServer;
beforeAll(async () => {
  server = await startEmbedded();
}, 180_000);
afterAll(() => server.stopAndRemove());

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

it("a daemon serves with the role of role.sql, which has no other privileges and can run autovacuum.sql", async () => {
  // Uses another name, because the test server already has a role and a database named wireroom.
  const renamed = textOf("role.sql").map((statement) =>
    statement.replace(/\bwireroom\b/g, "docs_role").replace(":'password'", "'secret'"),
  );
  const metaCommand = /^\\.*$/m;
  const [before, after] = split(renamed, (statement) => statement.startsWith("\\connect"));
  await run(
    server.adminUrl,
    before.map((statement) => statement.replace(metaCommand, "")),
  );
  const database = new URL(server.adminUrl);
  database.pathname = "/docs_role";
  await run(
    database.href,
    after.map((statement) => statement.replace(metaCommand, "")),
  );

  database.username = "docs_role";
  database.password = "secret";
  const daemon = await startDaemon({ args: ["--database-url", database.href] });
  const [alice, bob] = [await daemon.createAgent("alice"), await daemon.createAgent("bob")];
  const { id } = await sendWire(alice, "bob");
  expect((await expectOk(bob.get("/inbox"))).wires).toMatchObject([{ id }]);
  await run(database.href, textOf("autovacuum.sql"));
  await expect(run(database.href, ["CREATE TABLE public.other (n integer)"])).rejects.toThrow(
    "permission denied",
  );
  await expect(run(database.href, ["CREATE SCHEMA other"])).rejects.toThrow("permission denied");
  await daemon.stop();
});

/** Splits the statements before the first one that matches. */
function split(statements: readonly string[], matches: (statement: string) => boolean): [string[], string[]] {
  const at = statements.findIndex(matches);
  return [statements.slice(0, at), statements.slice(at)];
}
