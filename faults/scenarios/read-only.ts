/**
 * A file system that becomes read-only, as ext4 does after an error, and is writable again. Meanwhile, reads
 * succeed and writes are refused. A daemon does not start on read-only files.
 */
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { COMMAND, type TestDaemon } from "../../test/harness/daemon.js";
import { Load, pause } from "../load/load.js";
import type { World } from "../load/world.js";
import type { Life, Scenario } from "../scenario.js";
import { FaultControl, shimEnv, shimUnavailable } from "../shim/build.js";
import { unclear } from "./corruption.js";
import { compare, dataFolder, withService } from "./service.js";

const ROUNDS = 4;
const RECOVERY_MS = 10_000;
/** The daemon ends if a checkpoint fails (docs/specification/running.md#durability). */
const DISK_FAILED = /the disk of the database has failed/;

export const readOnly: Scenario = {
  name: "read-only",
  title: "a file system that becomes read-only, and writable again",
  weight: 0.7,
  unavailable: shimUnavailable,
  run(life) {
    const control = new FaultControl(join(life.folder, "control"));
    const env = shimEnv({ folder: dataFolder(life), control });
    return withService(life, { env }, async (daemon, world) => {
      const load = new Load(world, { survivesLoss: true, checkpointsMayStay: true, maxText: 6_000 });
      for (let round = 1; round <= Math.ceil(ROUNDS * life.scale); round++) {
        life.at(`round ${round}`);
        const stop = new AbortController();
        const running = load.run(stop.signal);
        await pause(200 + life.random.below(2_000));
        control.set({ write: "EROFS", files: "all" });
        life.count("read-only");
        // Wait, because requests from before the change may still succeed.
        await pause(100);
        const wrong = await whileReadOnly(daemon, world);
        await pause(life.random.below(2_500));
        control.set({});
        stop.abort();
        await running;
        if (hasEnded(daemon)) {
          life.count("exits");
          if (daemon.process.exitCode !== 1) return [`the daemon ended with ${daemon.process.exitCode}`];
          await daemon.restart();
        }
        const violations = [
          ...wrong,
          ...(await recovers(daemon, load, world)),
          ...(await compare(life, daemon, world, DISK_FAILED)),
        ];
        if (violations.length > 0) return violations;
      }
      await daemon.kill();
      const violations = canMount() ? await startsReadOnly(life, daemon.dataDir) : [];
      if (violations.length > 0) return violations;
      await daemon.restart();
      return compare(life, daemon, world, DISK_FAILED);
    });
  },
};

function hasEnded({ process: { exitCode, signalCode } }: TestDaemon): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Returns what is wrong with the responses of a daemon that cannot write. The daemon may have ended. */
async function whileReadOnly(daemon: TestDaemon, { agents, http }: World): Promise<string[]> {
  const { key, slug } = agents[0]!;
  const read = await http.send(key, "GET", "/limits");
  const written = await http.send(key, "POST", "/spaces", { slug: "not-now", visibility: "public" });
  const ready = await fetch(`${daemon.origin}/readyz`).catch(() => undefined);
  const isLost = [read, written, ready].includes(undefined);
  for (let n = 0; isLost && !hasEnded(daemon) && n < 20; n++) await pause(100);
  if (hasEnded(daemon)) return [];
  return [
    ...(read?.status === 200 ? [] : [`while it cannot write, ${slug} reads ${read?.status}`]),
    ...(written?.status === 503 && written.body.code === "UNAVAILABLE"
      ? []
      : [`while it cannot write, a write gets ${written?.status} ${JSON.stringify(written?.body)}`]),
    ...(ready?.status === 503 ? [] : [`while it cannot write, /readyz is ${ready?.status}`]),
  ];
}

async function recovers(daemon: TestDaemon, load: Load, { ledger }: World): Promise<string[]> {
  const end = performance.now() + RECOVERY_MS;
  let ready = 0;
  while (ready !== 200 && performance.now() < end) {
    ready = (await fetch(`${daemon.origin}/readyz`)).status;
    await pause(100);
  }
  const before = ledger.counts.acknowledged;
  await load.runFor(500);
  if (ready === 200 && ledger.counts.acknowledged > before) return [];
  return [
    `after it could write again, /readyz is ${ready}, and ${ledger.counts.acknowledged - before} wires are sent`,
  ];
}

/**
 * Starts a daemon while its folder or one of its files is read-only. Returns what is wrong with its refusals.
 */
async function startsReadOnly(life: Life, dataDir: string): Promise<string[]> {
  const violations: string[] = [];
  for (const name of ["", "wireroom.db", "wireroom.db-wal", "wireroom.db-lock", "daemon-lock"]) {
    const path = join(dataDir, name);
    life.at(`a start with a read-only ${name || "folder"}`);
    const script = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`;
    const daemon = [process.execPath, COMMAND, "daemon", "--port", "0", "--data-dir", dataDir];
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(
        "unshare",
        [...IN_NAMESPACE, "sh", "-c", script, path, ...daemon],
        { timeout: 20_000 },
        (error, _, text) => resolve({ code: error?.code ?? 0, stderr: text }),
      );
    });
    life.count("refused-starts");
    violations.push(
      ...unclear(`the daemon exited with ${code}: ${stderr}`).map((found) => `${path}: ${found}`),
    );
  }
  return violations;
}

/** In a new user namespace, any user may mount file systems, if the system allows it. */
const IN_NAMESPACE = ["--user", "--map-root-user", "--mount"];

function canMount(): boolean {
  try {
    execFileSync("unshare", [...IN_NAMESPACE, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
