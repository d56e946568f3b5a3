import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CopyProgress, copyStore } from "../../src/store/copy/index.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { type CommandResult, runProcess } from "../harness/command.js";
import { insertConnection } from "../harness/connections.js";
import { type Body, NO_LIMITS, type TestDaemon } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { createDatabase, createEmptyDatabase, dropDatabase } from "../harness/postgres-server.js";
import {
  type SeededData,
  seedEveryTable,
  signIn,
  snapshotResponses,
  startDaemonOn,
} from "../harness/seed.js";

let folder: string;
const databases: string[] = [];
const running = new Set<TestDaemon>();
let folders = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-copy-"));
});
afterAll(async () => {
  await Promise.all([...running].map((daemon) => daemon.stop()));
  for (const url of databases) await dropDatabase(url);
  await rm(folder, { recursive: true, force: true });
});

/** Returns the URL of a new SQLite file. */
const newFile = () => `sqlite:${join(folder, `${folders++}.db`)}`;
async function newServerDatabase(create = createEmptyDatabase): Promise<string> {
  const url = await create();
  databases.push(url);
  return url;
}

async function serve(url: string): Promise<TestDaemon> {
  const dataDir = join(folder, `data-${folders++}`);
  await mkdir(dataDir);
  const daemon = await startDaemonOn(url, dataDir, NO_LIMITS);
  running.add(daemon);
  return daemon;
}
async function stop(daemon: TestDaemon): Promise<void> {
  running.delete(daemon);
  expect(await daemon.stop()).toBe(0);
}

const copy = (from: string, to: string, ...more: string[]): Promise<CommandResult> =>
  runProcess(["store", "copy", "--from", from, "--to", to, ...more], { timeoutMs: 120_000 });
async function copyAndReport(from: string, to: string): Promise<Body> {
  const { code, stdout, stderr } = await copy(from, to, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}
async function refusal(from: string, to: string, ...words: string[]): Promise<void> {
  const { code, stdout, stderr } = await runInProcess(["store", "copy", "--from", from, "--to", to]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  for (const word of words) expect(stderr).toContain(word);
}
async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("wireroom store copy", () => {
  let file: string;
  let server: string;
  let made: SeededData;

  // [C-store-copy] [C-store-copy-compared]
  it("moves a service to PostgreSQL with unchanged responses", async () => {
    file = newFile();
    server = await newServerDatabase();
    const before = await serve(file);
    made = await seedEveryTable(before);

    await refusal(file, server, "daemon is running on", "wireroom down");
    await stop(before);
    const database = await Connection.open(file.slice("sqlite:".length));
    await insertConnection((sql, params) => database.run(sql, params), "alice");
    // As if the first wire of a thread had been deleted by retention.
    await database.run("INSERT INTO thread_roots (thread, id) SELECT -1, 'r' || id FROM wires LIMIT 1");
    // As if it had been sent in a trace.
    await database.run(
      "INSERT INTO wire_traces (id, traceparent, created_at) SELECT id, '00-…', 1 FROM wires LIMIT 1",
    );
    // As if a handle had left a space.
    await database.run(
      `INSERT INTO departures (handle, space, left_at) SELECT h.pk, s.pk, 1 FROM handles h, spaces s
       WHERE NOT EXISTS (SELECT 1 FROM members m WHERE m.handle = h.pk AND m.space = s.pk) LIMIT 1`,
    );
    // As if the newest approval had been deleted with its account.
    await database.run("INSERT INTO meta (name, value) VALUES ('deleted_approvals', '1000')");
    await database.close();
    const report = await copyAndReport(file, server);
    const sequence = "SELECT last_value::int AS last FROM approvals_pk_seq";
    expect((await onServer(server, (client) => client.query(sequence))).rows).toEqual([{ last: 1000 }]);
    expect(report).toMatchObject({ from: file, resumed: false });
    // A command with this URL works if PGPASSWORD is set.
    expect(report.to).toBe(server.replace(":wireroom@", "@"));
    // Every table in use must contain rows, otherwise the comparison proves little. Only older daemons use
    // the first of the named ones, and the other one is empty unless a handle is being erased.
    const empty = report.tables.filter((table: Body) => table.rows === 0);
    expect(empty).toMatchObject([{ table: "identity_sign_ups" }, { table: "erasures" }]);
    expect(report.tables.map((table: Body) => table.table)).toContain("wires");
    expect(report.rows).toBe(report.tables.reduce((sum: number, table: Body) => sum + table.rows, 0));

    const [old, moved] = [await serve(file), await serve(server)];
    const answers = await snapshotResponses(old, made);
    expect(answers.inbox.flatMap((page: Body) => page.wires)).toHaveLength(4);
    expect(answers.searches.map((found: Body) => found.wires.length)).toEqual([3, 1, 2, 0]);
    expect(answers.again).toEqual(made.repeated.response);
    expect(await snapshotResponses(moved, made)).toEqual(answers);

    const human = moved.client(await signIn(moved, "alice"));
    expect((await expectOk(human.get("/accounts/me"))).email).toBe("alice@example.com");

    const finished = { token: made.claimToken, done: true };
    expect(
      await expectOk(moved.client(made.keys.alice).put(`/wires/${made.thread}/claim`, finished)),
    ).toMatchObject(finished);

    // New ids and sequence numbers must not collide with the copied ones.
    const alice = moved.client(made.keys.alice);
    await sendWire(alice, "#market", { text: "turbines on the new server", reply_to: made.thread });
    await expectOk(alice.post("/spaces", { slug: "annex", visibility: "public" }), 201);
    await expectOk(alice.post("/schemas", { subject: "@alice/later", json_schema: {} }), 201);
    await refusal(server, newFile(), "daemon is running on the source");
    await stop(moved);
    await stop(old);
  }, 240_000);

  // [C-store-copy] [C-store-copy-compared]
  it("moves a service back to SQLite, and between databases of the same engine", async () => {
    const [back, server2, file2] = [newFile(), await newServerDatabase(createDatabase), newFile()];
    const reports = [
      await copyAndReport(server, back),
      await copyAndReport(server, server2),
      await copyAndReport(back, file2),
    ];
    expect(reports[1]!.tables).toEqual(reports[0]!.tables);
    expect(reports[2]!.tables).toEqual(reports[0]!.tables);
    const daemons = [];
    for (const url of [server, back, server2, file2]) daemons.push(await serve(url));
    const answers = [];
    for (const daemon of daemons) answers.push(await snapshotResponses(daemon, made));
    expect(answers[0].searches.map((found: Body) => found.wires.length)).toEqual([4, 1, 3, 0]);
    for (const other of answers.slice(1)) expect(other).toEqual(answers[0]);
    for (const daemon of daemons) {
      await sendWire(daemon.client(made.keys.bob), "alice", { text: "it goes on" });
      await stop(daemon);
    }
  }, 240_000);

  // [C-store-copy-resumes]
  it("creates the indexes and keys that it dropped, also after an interruption while it creates them", async () => {
    const [migrated, target] = [await newServerDatabase(createDatabase), await newServerDatabase()];
    const schemaOf = (url: string) =>
      onServer(url, async (client) => {
        const { rows } =
          await client.query(`SELECT indexdef AS part FROM pg_indexes WHERE schemaname = 'public'
          UNION ALL SELECT concat(conrelid::regclass, ' ', conname, ' ', pg_get_constraintdef(oid)) FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace ORDER BY 1`);
        return rows.map(({ part }) => part as string);
      });
    const expected = await schemaOf(migrated);
    const stopAt = ({ step, rows }: CopyProgress) => {
      if (step === "indexing" && rows === 3) throw new Error("broken off");
    };
    const options = { from: file, to: target, sourceName: file, onProgress: stopAt };
    await expect(copyStore(options)).rejects.toThrow("broken off");
    const before = await schemaOf(target);
    expect(before.length).toBeLessThan(expected.length);

    expect(await copyAndReport(file, target)).toMatchObject({ resumed: true });
    expect(await schemaOf(target)).toEqual(expected);
  }, 120_000);

  // [C-store-copy-empty]
  it("rejects a target that is not empty, and does not change it", async () => {
    const other = newFile();
    await stop(await serve(other));
    const readMeta = () =>
      onServer(server, async (client) => (await client.query("SELECT * FROM meta")).rows);
    const before = await readMeta();
    await refusal(other, server, "the target is not empty");
    expect(await readMeta()).toEqual(before);
    await refusal(file, other, "the target is not empty");
    await refusal(file, file, "the target already contains this service");
    await stop(await serve(other));

    const foreign = join(folder, "recipes");
    await mkdir(foreign);
    const recipes = await Connection.open(join(foreign, "recipes.db"));
    await recipes.exec("CREATE TABLE recipes (name TEXT)");
    await recipes.close();
    await refusal(file, `sqlite:${join(foreign, "recipes.db")}`, "not a Wireroom database");
  }, 120_000);

  // [C-store-copy-source]
  it("rejects a source that is missing, of another program or of another version", async () => {
    const target = newFile();
    await refusal(newFile(), target, "there is no database");
    await refusal("mysql://db.example.com/x", target, "scheme");
    await refusal(await newServerDatabase(), target, "not a Wireroom database");
    await refusal("postgres://me:swordfish@127.0.0.1:1/none", target, "cannot open the database");
    const old = await newServerDatabase(createDatabase);
    await onServer(old, (client) =>
      client.query("DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)"),
    );
    await refusal(old, target, "older version", "start the daemon of this version once");
    const { code } = await runInProcess(["store", "copy", "--from", file]);
    expect(code).toBe(2);
  }, 120_000);

  // [C-store-copy-progress]
  it("reports its progress for each table", async () => {
    const { code, stdout, stderr } = await copy(file, newFile());
    expect(code).toBe(0);
    expect(stderr).toMatch(/^copying wires: \d+ of \d+ rows(, [\d,]+\/s)?$/m);
    expect(stderr).toMatch(/^checking wires: \d+ of \d+ rows(, [\d,]+\/s)?$/m);
    expect(stdout).toMatch(/^wires\t\d+\t[0-9a-f]{64}$/m);
  }, 120_000);
});
