/**
 * A short run of the fault campaign, `npm run faults`. A failure states the seed with which it can be
 * repeated.
 */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type CampaignOptions, runCampaign } from "../../faults/campaign.js";
import type { Scenario } from "../../faults/scenario.js";
import { ioErrors } from "../../faults/scenarios/io-errors.js";
import { kill } from "../../faults/scenarios/kill.js";
import { halfOpen } from "../../faults/scenarios/paused.js";
import { createPowerCut, powerCut } from "../../faults/scenarios/power-cut.js";
import { watch } from "../../faults/scenarios/watch.js";
import { ENGINE } from "../harness/database.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

/** A life may take long on a busy machine. */
const TIMEOUT_MS = 300_000;

const folder = new TemporaryFolder("wireroom-faults-").path;

/** Runs one life of a scenario. Returns what went wrong. */
async function runLife(scenario: Scenario, options: Partial<CampaignOptions> = {}) {
  const seed = Number(process.env.WIREROOM_FAULTS_SEED ?? 1 + (Date.now() % 2 ** 31));
  const { failures, scenarios } = await runCampaign({
    seed,
    scenarios: [scenario],
    seconds: TIMEOUT_MS / 1_000,
    folder,
    lives: 1,
    ...options,
  });
  return { failures, counts: scenarios[0]!.counts };
}

const onSqlite = describe.skipIf(ENGINE !== "sqlite");

// The last two mostly wait.
describe("the fault campaign", { timeout: TIMEOUT_MS, concurrent: true }, () => {
  // [D12-durable] [D2-idempotent-once] [D4-stored-only] [D5-nothing-skipped]
  it("finds nothing after kill -9: no wire lost, twice or out of order, each counted once", async () => {
    const { failures, counts } = await runLife(kill, { scale: 0.1 });
    expect(failures, JSON.stringify(failures)).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(3);
    expect(counts.acknowledged).toBeGreaterThan(0);
  });

  // [C-watch-killed] [C-watch-order]
  it.skipIf(ENGINE !== "sqlite")(
    "finds nothing after watches and daemons were killed: no item without a successful command, each thread in order",
    async () => {
      const { failures, counts } = await runLife(watch, { scale: 0.025 });
      expect(failures, JSON.stringify(failures)).toEqual([]);
      expect(counts["kills of watch"]).toBe(5);
      expect(counts.items).toBeGreaterThan(0);
    },
  );

  // [D2-idempotent-once] [D5-never-twice]
  it("finds nothing after connections that broke or lost one direction", async () => {
    const { failures, counts } = await runLife(halfOpen, { scale: 0.2 });
    expect(failures, JSON.stringify(failures)).toEqual([]);
    expect(counts.acknowledged).toBeGreaterThan(0);
  });
});

onSqlite("the fault campaign on files", { timeout: TIMEOUT_MS }, () => {
  // [D12-durable]
  it.skipIf(powerCut.unavailable?.())(
    "finds nothing after power cuts that lose, reorder and tear unsynced writes, and notices the wires that a disk loses which ignores syncs",
    async () => {
      const { failures, counts } = await runLife(createPowerCut({ ignoresSyncs: true }), { scale: 0.1 });
      expect(failures, JSON.stringify(failures)).toEqual([]);
      expect(counts.cuts).toBe(11);
    },
  );

  // [D12-disk-failure]
  it.skipIf(ioErrors.unavailable?.())(
    "finds nothing after failed writes and syncs that a power cut follows",
    async () => {
      const { failures, counts } = await runLife(ioErrors, { scale: 0.1 });
      expect(failures, JSON.stringify(failures)).toEqual([]);
      expect(counts.cuts).toBe(3);
    },
  );

  it("lists its scenarios", () => {
    const program = ["scripts/run-compiled.mjs", "faults", "main", "--list"];
    const listed = execFileSync(process.execPath, program, { encoding: "utf8" });
    expect(listed).toContain("power-cut");
  });
});
