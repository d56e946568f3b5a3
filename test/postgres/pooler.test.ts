/** PgBouncer between daemons and PostgreSQL. These tests are skipped if PgBouncer is not installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { serverUser } from "../harness/postgres-programs.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";

const HAS_PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;
if (!HAS_PGBOUNCER) process.stderr.write("the tests of poolers are skipped: pgbouncer is not installed\n");

/** The startup parameters that the daemon sends, which PgBouncer must ignore. */
const IGNORED = "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

let server: EmbeddedServer;
const poolers: { child: ChildProcess; folder: string }[] = [];

/** Starts PgBouncer with these settings. Returns the URL of the database through it. */
async function startPooler(settings: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-pgbouncer-"));
  const port = await freePort();
  const url = new URL(server.url);
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users"),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const database = `wireroom = host=127.0.0.1 port=${url.port} dbname=wireroom`;
  await writeFile(
    join(folder, "pgbouncer.ini"),
    ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"),
  );
  await writeFile(join(folder, "users"), '"wireroom" "wireroom"\n');
  await chmod(folder, 0o755);
  // PgBouncer refuses to run as root.
  const { name } = serverUser() ?? {};
  const user = name === undefined ? [] : ["-u", name];
  const child = spawn("pgbouncer", [...user, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  poolers.push({ child, folder });
  await listening(port);
  url.port = String(port);
  return url.href;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PgBouncer does not start");
}

describe.skipIf(!HAS_PGBOUNCER)("a daemon behind PgBouncer", () => {
  beforeAll(async () => {
    server = await startEmbedded();
  }, 180_000);
  afterAll(async () => {
    for (const { child, folder } of poolers) {
      child.kill("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
    await server.stopAndRemove();
  });

  const refusal = (url: string) => expect(PostgresEngine.open(url)).rejects;

  it("serves in session pooling mode", async () => {
    const url = await startPooler({ pool_mode: "session", ignore_startup_parameters: IGNORED });
    const daemons: TestDaemon[] = [];
    for (let n = 0; n < 2; n++) daemons.push(await startDaemon({ args: ["--database-url", url] }));
    const [one, other] = daemons as [TestDaemon, TestDaemon];
    const [alice, bob] = [await one.createAgent("alice"), await one.createAgent("bob")];
    const waiting = expectOk(other.client(bob.key).get("/inbox?wait=20"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { id } = await sendWire(alice, "bob");
    expect((await waiting).wires).toMatchObject([{ id }]);
    for (const daemon of daemons) await daemon.stop();
  });

  it("does not start in transaction pooling mode", async () => {
    const url = await startPooler({ pool_mode: "transaction", ignore_startup_parameters: IGNORED });
    await refusal(url).toThrow(/transaction mode.*pool_mode = session/);
  });

  it("does not start with the default settings, and names the required ones", async () => {
    const started = performance.now();
    await refusal(await startPooler({})).toThrow(`ignore_startup_parameters = ${IGNORED}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
