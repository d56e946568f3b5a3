/**
 * Copies to PostgreSQL and back. The copy and the PostgreSQL server are killed meanwhile, and the copy is
 * continued. The service then runs on the copy, which is compared with the ledger.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { COMMAND, startDaemon, type TestDaemon } from "../../../test/harness/daemon.js";
import { type EmbeddedServer, startEmbedded } from "../../../test/harness/postgres-server.js";
import { databaseProblems } from "../../check/database.js";
import { observeOverHttp } from "../../check/over-http.js";
import { verify } from "../../check/verify.js";
import { countDeleted, createWorld } from "../../load/create-world.js";
import { Http } from "../../load/http.js";
import { Load, pause } from "../../load/load.js";
import { daemonFlags } from "../../load/world.js";
import type { Life, Scenario } from "../../scenario.js";
import { unclear } from "../corruption.js";
import { dataFolder } from "../service.js";
import { SETTINGS } from "./cluster.js";

const FILLED_MS = 4_000;
/** Maximum time from the start of a copy to a fault. */
const LONGEST_COPY_MS = 3_000;
const MOST_FAULTS = 5;

interface Copy {
  from: string;
  to: string;
  server: EmbeddedServer;
}

export const copiesToPostgres: Scenario = {
  name: "copies-to-postgres",
  title: "copies to PostgreSQL and back, which are killed, as is the server, and continued",
  weight: 0.7,
  async run(life) {
    const server = await startEmbedded(SETTINGS);
    const dataDir = dataFolder(life);
    const serve = (url: string) => {
      const args = [...daemonFlags(undefined), "--database-url", url];
      return startDaemon({ args, dataDir });
    };
    const files = [join(dataDir, "wireroom.db"), join(dataDir, "back.db")].map((file) => `sqlite:${file}`);
    const [first, back] = files as [string, string];
    let daemon: TestDaemon | undefined;
    const http = new Http(() => daemon!.base);
    try {
      const world = await createWorld(life, { dataDir, http });
      daemon = await serve(first);
      const load = new Load(world, { maxText: life.random.chance(0.5) ? 6_000 : 300 });
      await load.runFor(FILLED_MS * life.scale);
      for (const { from, to } of [
        { from: first, to: server.url },
        { from: server.url, to: back },
      ]) {
        life.at(`a copy to ${to}`);
        await daemon.kill();
        const problems = await copyDespiteFaults(life, { from, to, server });
        if (problems.length > 0) return problems;
        daemon = await serve(to);
        life.count("comparisons");
        const violations = [
          ...verify(world, await observeOverHttp(world)),
          ...(await databaseProblems("", to)),
        ];
        if (violations.length > 0) return violations;
        await load.runFor(1_500 * life.scale);
      }
      for (const [name, count] of Object.entries(world.ledger.counts)) life.count(name, count);
      await countDeleted(life, world, dataDir, back);
      return verify(world, await observeOverHttp(world));
    } finally {
      await http.close();
      await daemon?.kill();
      await server.stopAndRemove();
    }
  },
};

/**
 * Copies with faults, and finally without a fault. Returns what is wrong with the error messages of the
 * failed copies.
 */
async function copyDespiteFaults(life: Life, copy: Copy): Promise<string[]> {
  let wasInterrupted = false;
  // A copy may be killed when it is already complete. It is then compared with the ledger like any other
  // copy.
  const isComplete = ({ code, stderr }: Ended) =>
    code === 0 || (wasInterrupted && stderr.includes("the target already contains this service"));
  for (let fault = life.random.below(MOST_FAULTS + 1); fault > 0; fault--) {
    const kind = life.random.chance(0.5) ? "copies-killed" : "servers-killed";
    const { child, ended } = startCopy(copy);
    const isDone = await Promise.race([
      ended.then(isComplete),
      pause(life.random.below(LONGEST_COPY_MS)).then(() => false),
    ]);
    if (isDone) return [];
    life.count(kind);
    if (kind === "copies-killed") child.kill("SIGKILL");
    else {
      await copy.server.crash(life.random.chance(0.5) ? "SIGKILL" : "SIGQUIT");
      await copy.server.start();
    }
    const result = await ended;
    if (isComplete(result)) return [];
    wasInterrupted = true;
    const { code, stderr } = result;
    // Skip the progress lines, which come before the one line of the error.
    const error = stderr.split("\n").filter((line) => !/^(copying|indexing|checking) /.test(line));
    if (code !== null && unclear(`the daemon exited with ${code}: ${error.join("\n")}`).length > 0)
      return [`the copy failed with ${code} and ${stderr}`];
    life.count("resumed");
  }
  const last = await startCopy(copy).ended;
  return isComplete(last) ? [] : [`the copy cannot be continued: ${last.code} ${last.stderr}`];
}

interface Ended {
  code: number | null;
  stderr: string;
}

function startCopy({ from, to }: Copy) {
  const child = spawn(process.execPath, [COMMAND, "store", "copy", "--from", from, "--to", to], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended: Promise<Ended> = once(child, "close").then(([code]) => ({ code, stderr }));
  return { child, ended };
}
