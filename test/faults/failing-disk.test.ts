import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { sendWire } from "../harness/api-helpers.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { openDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";
import { canFailIo, FailingIo } from "../harness/fail-io.js";
import { runInProcess } from "../harness/in-process.js";
import { RawConnection } from "../harness/raw-http.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

describe.skipIf(!canFailIo)("a failing disk", () => {
  const disk = new FailingIo();
  let daemon: TestDaemon;
  let alice: AgentClient;

  afterAll(() => disk.remove());
  afterEach(async () => {
    disk.fail();
    await daemon?.stop();
  });

  async function start(): Promise<void> {
    const dataDir = new TemporaryFolder("wireroom-failing-disk-").path;
    daemon = await startDaemon({ args: NO_LIMITS_FEW_LOGS, dataDir, env: disk.env });
    alice = await daemon.createAgent("alice");
  }

  /**
   * Posts until the daemon ends or the write-ahead log is large enough for a checkpoint. Returns the
   * acknowledged ids.
   */
  async function postMegabytes(megabytes: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < megabytes * 8; n++) {
      const wire = { to: "alice", payload: { n, filler: "x".repeat(120_000) } };
      const reply = await alice.post("/wires", wire).catch(() => undefined);
      if (reply === undefined) return ids;
      if (reply.status === 201) ids.push(reply.body.id);
    }
    return ids;
  }

  async function expectFailedExit(error = "SQLITE_IOERR"): Promise<void> {
    await expect.poll(() => daemon.process.exitCode, { timeout: 20_000 }).toBe(1);
    const failure = new RegExp(`"level":60.*${error}.*the disk of the database has failed`);
    await expect.poll(() => daemon.log()).toMatch(failure);
    const lastLine =
      /^wireroom: the disk of the database has failed; .* check the disk, then start the daemon again$/m;
    await expect.poll(() => daemon.log()).toMatch(lastLine);
  }

  async function storedIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await alice.get(`/inbox?limit=10${cursor && `&cursor=${cursor}`}`);
      if (body.wires.length === 0) return ids;
      ids.push(...body.wires.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
  }

  for (const rule of ["sync wireroom.db", "write wireroom.db"] as const) {
    // [D12-disk-failure]
    it(`ends the daemon if a checkpoint fails (${rule}), and loses nothing`, async () => {
      await start();
      disk.fail(rule);
      const acknowledged = await postMegabytes(6);
      await expectFailedExit();
      expect(disk.hits()).toContain(rule);
      disk.fail();
      expect(existsSync(join(daemon.dataDir, "wireroom.db-wal"))).toBe(true);
      await daemon.restart();
      expect(await storedIds()).toEqual(expect.arrayContaining(acknowledged));
      expect((await runInProcess(["store", "check", "--data-dir", daemon.dataDir])).code).toBe(0);
    });
  }

  // [D12-disk-failure]
  it("ends the daemon with 1 if the disk fails while it stops", async () => {
    await start();
    const connection = await RawConnection.open(daemon.origin);
    const body = JSON.stringify({ to: "alice", text: "the last one" });
    const head = `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json`;
    connection.send(
      `${head}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await expect.poll(() => connection.rest).toContain("100 Continue");
    daemon.process.kill("SIGTERM");
    const isListening = () =>
      fetch(`${daemon.origin}/healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(isListening).toBe(false);
    disk.fail("sync wireroom.db-wal");
    connection.send(body.slice(5));
    await expectFailedExit();
  });

  // [D12-disk-failure]
  it("ends the daemon if the file cannot be flushed beside the writer, while a reader keeps the log large", async () => {
    await start();
    const reader = await openDatabase(daemon.dataDir);
    await reader.run("BEGIN");
    await reader.all("SELECT count(*) FROM wires");
    disk.fail("sync wireroom.db");
    // A checkpoint of SQLite flushes the file only when it reaches the end of the log, which the reader
    // prevents.
    const acknowledged = await postMegabytes(80);
    await expectFailedExit("fdatasync");
    disk.fail();
    await reader.close();
    await daemon.restart();
    expect(await storedIds()).toEqual(expect.arrayContaining(acknowledged));
  });

  // [D12-disk-failure]
  it("ends the daemon if a commit cannot be synced", async () => {
    await start();
    const { id } = await sendWire(alice, "alice");
    disk.fail("sync wireroom.db-wal");
    // The daemon may end before it responds.
    const reply = await alice.post("/wires", { to: "alice", text: "lost" }).catch(() => undefined);
    if (reply) expectError(reply, "UNAVAILABLE");
    await expectFailedExit();
    disk.fail();
    await daemon.restart();
    expect(await storedIds()).toContain(id);
  });

  // [D12-readyz] [D2-unavailable]
  it("answers writes with 503 while the log cannot be written, turns /readyz to 503, and recovers", async () => {
    await start();
    const readyz = async () => (await fetch(`${daemon.origin}/readyz`)).status;
    const { id } = await sendWire(alice, "alice");
    expect(await readyz()).toBe(200);
    disk.fail("write wireroom.db-wal");
    expectError(await alice.post("/wires", { to: "alice", text: "not now" }), "UNAVAILABLE");
    expect(await readyz()).toBe(503);
    expect((await alice.get(`/wires/${id}`)).status).toBe(200);
    disk.fail();
    expect(await readyz()).toBe(200);
    await sendWire(alice, "alice");
  });

  // [D2-unavailable] [D2-retry-after]
  it("answers reads with 503 while the log cannot be read, and recovers", async () => {
    await start();
    const { id } = await sendWire(alice, "alice");
    const paths = [`/wires/${id}`, `/threads/${id}`, "/inbox", "/sent", "/profile", "/limits"];
    disk.fail("read wireroom.db-wal");
    for (const path of paths) {
      const reply = await alice.get(path);
      const { retry_after } = expectError(reply, "UNAVAILABLE");
      expect([path, retry_after, reply.headers.get("retry-after")]).toEqual([path, 1, "1"]);
    }
    disk.fail();
    for (const path of paths) expect([path, (await alice.get(path)).status]).toEqual([path, 200]);
    await sendWire(alice, "alice");
  });

  // [D5-read-without-write]
  it("answers a read with a cursor although the checkpoint cannot move, and says so", async () => {
    await start();
    await sendWire(alice, "alice");
    await sendWire(alice, "alice");
    const first = (await alice.get("/inbox?limit=1")).body;
    disk.fail("write wireroom.db-wal");
    const second = await alice.get(`/inbox?cursor=${first.next_cursor}`);
    expect(second.status).toBe(200);
    expect(second.body.wires).toHaveLength(1);
    await expect.poll(() => daemon.log()).toContain("the checkpoint of an inbox could not be moved");
    const metrics = await (await fetch(`${daemon.origin}/metrics`)).text();
    expect(metrics).toMatch(/^wireroom_unmoved_checkpoints_total 1$/m);
    disk.fail();
    expect((await alice.get(`/inbox?cursor=${second.body.next_cursor}`)).body.wires).toEqual([]);
    expect((await alice.get("/inbox")).body.wires).toEqual([]);
  });
});
