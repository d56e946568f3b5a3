/** A log that cannot be written must not end the daemon, delay a request, or keep the daemon from ending. */
import { existsSync } from "node:fs";
import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fastClockEnv } from "../harness/clock-skew.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const FULL = "/dev/full";
const folder = new TemporaryFolder("wireroom-log-failures-").path;

/** Sends requests until the daemon has tried to write the log several times. */
async function fillLog(daemon: TestDaemon, requests: number): Promise<void> {
  for (let n = 0; n < requests; n++) expect((await fetch(`${daemon.origin}/healthz`)).status).toBe(200);
}

describe("a log that cannot be written", () => {
  // [D12-log-failure]
  it.skipIf(!existsSync(FULL))("on a full disk is dropped, and the daemon serves and stops", async () => {
    const daemon = await startDaemon({ args: [...NO_LIMITS, "--log-file", FULL] });
    for (let round = 0; round < 5; round++) {
      await fillLog(daemon, 5);
      // Lines are written after 50 ms.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await daemon.stop()).toBe(0);
  });

  // [D12-log-failure] [D12-stop]
  it("because its reader has stopped does not keep the daemon from ending", async () => {
    const daemon = await startDaemon({ args: NO_LIMITS });
    daemon.process.stderr!.pause();
    await fillLog(daemon, 2_000);
    expect(await daemon.stop()).toBe(0);
  });

  // [D12-log-failure]
  it("goes on in the same file if the full one cannot be renamed", async () => {
    const log = join(folder, "own.log");
    await writeFile(log, "");
    // The log is rotated to this path.
    await mkdir(join(folder, "own.log.1", "not-empty"), { recursive: true });
    const daemon = await startDaemon({ args: [...NO_LIMITS, "--log-file", log], env: fastClockEnv(20) });
    await truncate(log, 11 * 1_024 * 1_024);
    const written = async () => (await readFile(log, "utf8")).replaceAll("\0", "");
    await expect.poll(written, { timeout: 30_000 }).toContain("the log file cannot be rotated");
    await fillLog(daemon, 1);
    await expect.poll(written).toContain('"operation":"healthz"');
    expect(await daemon.stop()).toBe(0);
    expect((await written()).match(/cannot be rotated/g)).toHaveLength(1);
  });
});
