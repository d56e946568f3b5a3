/**
 * Runs scenarios in turns until the time is up, and collects their numbers and failures. A life is one run of
 * a scenario.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../bench/data/random.js";
import type { Counts, Scenario } from "./scenario.js";

export interface Failure {
  scenario: string;
  /** Seed of the life. A campaign with this `--scenario` and `--seed` runs the same life first. */
  seed: number;
  place: string;
  folder: string;
  violations: string[];
}

export interface ScenarioResult {
  name: string;
  lives: number;
  seconds: number;
  counts: Counts;
  /** The reason why the scenario did not run. */
  skipped?: string;
}

export interface CampaignResult {
  seed: number;
  seconds: number;
  scenarios: ScenarioResult[];
  failures: Failure[];
}

export interface CampaignOptions {
  seed: number;
  scenarios: readonly Scenario[];
  /** Time after which no life starts. */
  seconds: number;
  /** The folder in which each life gets its own folder. */
  folder: string;
  scale?: number;
  /** Maximum number of lives of each scenario. */
  lives?: number;
  /** Number of lives that run at the same time. */
  concurrency?: number;
  say?(line: string): void;
}

/** Maximum number of reported violations of one life. Further ones usually have the same cause. */
const MAX_VIOLATIONS = 20;

export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const results = options.scenarios.map((scenario) => startResult(scenario));
  const failures: Failure[] = [];
  /** Seconds that each scenario has used. A running life counts as one second. */
  const used = options.scenarios.map(() => 0);

  const worker = async () => {
    while (elapsed() < options.seconds) {
      const index = nextScenario(options, results, used);
      if (index === undefined) return;
      const scenario = options.scenarios[index]!;
      const result = results[index]!;
      const number = result.lives++;
      const start = elapsed();
      // Count a running life at once, so that another worker takes another scenario.
      used[index]! += 1;
      const failure = await runLife(scenario, lifeSeed(options.seed, number), result.counts, options);
      const seconds = elapsed() - start;
      used[index]! += seconds - 1;
      result.seconds += seconds;
      if (failure) failures.push(failure);
      options.say?.(
        `${elapsed().toFixed(0)} s: ${scenario.name} life ${number + 1}, ${seconds.toFixed(0)} s: ${failure ? `FAILED ${failure.violations[0]}` : "ok"} ${JSON.stringify(result.counts)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, worker));
  return { seed: options.seed, seconds: elapsed(), scenarios: results, failures };
}

function startResult(scenario: Scenario): ScenarioResult {
  const skipped = scenario.unavailable?.();
  return { name: scenario.name, lives: 0, seconds: 0, counts: {}, ...(skipped && { skipped }) };
}

/** Returns the scenario that has used the least of its share of the time. */
function nextScenario(
  { scenarios, lives = Number.POSITIVE_INFINITY }: CampaignOptions,
  results: readonly ScenarioResult[],
  used: readonly number[],
): number | undefined {
  let next: number | undefined;
  for (const [index, { weight }] of scenarios.entries()) {
    if (results[index]!.skipped || results[index]!.lives >= lives) continue;
    if (next === undefined || used[index]! / weight < used[next]! / scenarios[next]!.weight) next = index;
  }
  return next;
}

/**
 * The first life has the campaign's own seed, so that a failed life can be the first one of another campaign.
 */
function lifeSeed(seed: number, life: number): number {
  return life === 0 ? seed : Math.floor(new Random(seed + life).next() * 2 ** 31);
}

async function runLife(
  scenario: Scenario,
  seed: number,
  counts: Counts,
  { folder: parent, scale = 1 }: CampaignOptions,
): Promise<Failure | undefined> {
  const folder = await mkdtemp(join(parent, `${scenario.name}-`));
  let place = "start";
  let violations: string[];
  try {
    violations = await scenario.run({
      random: new Random(seed),
      folder,
      scale,
      count: (name, by = 1) => {
        counts[name] = (counts[name] ?? 0) + by;
      },
      at: (now) => {
        place = now;
      },
    });
  } catch (error) {
    violations = [(error as Error).stack ?? String(error)];
  }
  if (violations.length > 0)
    return { scenario: scenario.name, seed, place, folder, violations: violations.slice(0, MAX_VIOLATIONS) };
  await rm(folder, { recursive: true, force: true });
  return undefined;
}
