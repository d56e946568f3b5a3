/**
 * Runs each attack beside ordinary agents on a daemon with little memory and few open files, and checks that
 * the agents hardly notice the attack.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { TestDaemon } from "../test/harness/daemon.js";
import type { Attack, Target } from "./attack.js";
import { type Latencies, runAgents, runSignIns } from "./ordinary-agents.js";
import { createWorld, temporaryFolder, type World } from "./world.js";

export interface AttackResult {
  attack: Attack;
  quiet: Latencies;
  attacked: Latencies;
  /** The longest sign-in during the attack in milliseconds; infinite if one failed. */
  signInMs: number;
  /** Maximum resident memory of the daemon in MiB. */
  memoryMib: number;
  /** Numbers of the attacker, such as responses by status. */
  counts: Record<string, number>;
  /** The limits that were exceeded. */
  violations: string[];
}

export interface CampaignOptions {
  attacks: readonly Attack[];
  /** Duration of each attack. */
  seconds: number;
  /**
   * Factor for the size of the attacked service and for the time before the attack. Less than 1 in `npm
   * test`.
   */
  scale?: number;
  say?(line: string): void;
}

const MAX_P99_MS = 100;
const MAX_QUIET_FACTOR = 10;
const MAX_SIGN_IN_MS = 10_000;
const MAX_MEMORY_MIB = 1_024;
/** Not measured, because the first requests load modules. */
const WARM_UP_SECONDS = 3;
const QUIET_SECONDS = 4;
/**
 * The compiled program. The tests run this file from its source folder, so the path starts at the package.
 */
const ATTACKER = join(
  dirname(createRequire(import.meta.url).resolve("#package.json")),
  "attacks/.build/attacks/attacker.js",
);

export async function runCampaign({
  attacks,
  seconds,
  scale = 1,
  say,
}: CampaignOptions): Promise<AttackResult[]> {
  const folder = await temporaryFolder();
  try {
    const world = await createWorld(folder, scale);
    const results: AttackResult[] = [];
    for (const attack of attacks) {
      const result = await runAttack(world, attack, seconds, Math.max(scale, 0.2));
      results.push(result);
      say?.(
        `${attack.name}: ${result.violations.join("; ") || "ok"} ${JSON.stringify({ ...result, attack: undefined, violations: undefined })}`,
      );
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runAttack(
  world: World,
  attack: Attack,
  seconds: number,
  scale: number,
): Promise<AttackResult> {
  const daemon = await world.start();
  try {
    const { origin } = daemon;
    const run = (duration: number) =>
      Promise.all([
        runAgents(origin, world.agents, world.target.space, duration),
        runSignIns(origin, world.human, duration),
      ]);
    await run(WARM_UP_SECONDS * scale);
    const [quiet] = await run(QUIET_SECONDS * scale);
    const attacker = await startAttacker(attack, { ...world.target, origin });
    const [attacked, signInMs] = await run(seconds);
    const memoryMib = maxMemoryMib(daemon);
    const counts = await endAttacker(attacker);
    const result = { attack, quiet, attacked, signInMs, memoryMib, counts };
    return { ...result, violations: violationsOf(result, daemon) };
  } finally {
    await daemon.kill();
    await rm(daemon.dataDir, { recursive: true, force: true });
  }
}

function violationsOf(
  { quiet, attacked, signInMs, memoryMib }: Omit<AttackResult, "violations">,
  daemon: TestDaemon,
): string[] {
  const { exitCode, signalCode } = daemon.process;
  if (exitCode !== null || signalCode !== null)
    return [`the daemon ended with ${exitCode ?? signalCode}: ${daemon.log().slice(-500)}`];
  const violations: string[] = [];
  const limitMs = Math.max(MAX_P99_MS, MAX_QUIET_FACTOR * quiet.p99);
  if (attacked.p99 > limitMs)
    violations.push(
      `p99 is ${Math.round(attacked.p99)} ms, but at most ${Math.round(limitMs)} ms is accepted`,
    );
  if (signInMs > MAX_SIGN_IN_MS) violations.push(`a human signed in after ${Math.round(signInMs)} ms`);
  if (memoryMib > MAX_MEMORY_MIB) violations.push(`the daemon took ${memoryMib} MiB`);
  return violations;
}

interface Attacker {
  process: ChildProcess;
  /** The lines that the attacker prints. */
  lines: AsyncIterator<string>;
}

async function startAttacker(attack: Attack, target: Target): Promise<Attacker> {
  const args = [ATTACKER, attack.name, JSON.stringify(target)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  // The attacker is ready once it has printed its first line.
  await lines.next();
  return { process: child, lines };
}

/** Ends the attacker. Returns the numbers that it prints. */
async function endAttacker(attacker: Attacker): Promise<Record<string, number>> {
  attacker.process.kill("SIGTERM");
  const { value } = await attacker.lines.next();
  return JSON.parse(value) as Record<string, number>;
}

/** Returns the maximum resident memory so far; NaN if the daemon has ended. */
function maxMemoryMib({ process: { pid } }: TestDaemon): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)![1]) / 1_024);
  } catch {
    return Number.NaN;
  }
}
