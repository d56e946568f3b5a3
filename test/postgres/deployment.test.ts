/** The scripts of docs/deploy, on a server as it is after initdb: a role that owns its tables alone suffices. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDaemon } from "../harness/daemon.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { ok, send } from "../harness/talk.js";

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
afterAll(() => server.stop());

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

it("a daemon serves as the role of role.sql, which may not create anything elsewhere; autovacuum.sql is its to run", async () => {
  // Renamed, as the server of the tests has a role and a database of that name.
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
  const [alice, bob] = [await daemon.agent("alice"), await daemon.agent("bob")];
  const { id } = await send(alice, "bob");
  expect((await ok(bob.get("/inbox"))).wires).toMatchObject([{ id }]);
  await run(database.href, textOf("autovacuum.sql"));
  await expect(run(database.href, ["CREATE TABLE public.other (n integer)"])).rejects.toThrow(
    "permission denied",
  );
  await expect(run(database.href, ["CREATE SCHEMA other"])).rejects.toThrow("permission denied");
  await daemon.stop();
});

/** What comes before the first statement that matches, and the rest. */
function split(statements: readonly string[], matches: (statement: string) => boolean): [string[], string[]] {
  const at = statements.findIndex(matches);
  return [statements.slice(0, at), statements.slice(at)];
}
