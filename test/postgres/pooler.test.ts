/** PgBouncer between daemons and the server, where it is installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { serverUser } from "../harness/postgres-programs.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { ok, send } from "../harness/talk.js";

const HAS_PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;
if (!HAS_PGBOUNCER) process.stderr.write("the tests of poolers are skipped: pgbouncer is not installed\n");

/** What daemons ask of a connection when it begins. */
const IGNORED = "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

let server: EmbeddedServer;
const poolers: { child: ChildProcess; folder: string }[] = [];

/** Starts it with these settings; gives the database's URL by way of it. */
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
  // It refuses to run as root.
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

describe.skipIf(!HAS_PGBOUNCER)("behind PgBouncer", () => {
  beforeAll(async () => {
    server = await startEmbedded();
  }, 180_000);
  afterAll(async () => {
    for (const { child, folder } of poolers) {
      child.kill("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
    await server.stop();
  });

  const refusal = (url: string) => expect(PostgresEngine.open(url)).rejects;

  it("with a session for each connection, daemons serve", async () => {
    const url = await startPooler({ pool_mode: "session", ignore_startup_parameters: IGNORED });
    const daemons: TestDaemon[] = [];
    for (let n = 0; n < 2; n++) daemons.push(await startDaemon({ args: ["--database-url", url] }));
    const [one, other] = daemons as [TestDaemon, TestDaemon];
    const [alice, bob] = [await one.agent("alice"), await one.agent("bob")];
    const waiting = ok(other.client(bob.key).get("/inbox?wait=20"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { id } = await send(alice, "bob");
    expect((await waiting).wires).toMatchObject([{ id }]);
    for (const daemon of daemons) await daemon.stop();
  });

  it("with a session for each transaction, a daemon does not start", async () => {
    const url = await startPooler({ pool_mode: "transaction", ignore_startup_parameters: IGNORED });
    await refusal(url).toThrow(/shares connections between transactions.*pool_mode = session/);
  });

  it("as it is installed, a daemon does not start and says which settings it needs", async () => {
    const started = performance.now();
    await refusal(await startPooler({})).toThrow(`ignore_startup_parameters = ${IGNORED}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
