/** The result of a campaign as text. Its table is the one in docs/fault-campaign.md. */
import { cpus } from "node:os";
import type { CampaignResult, ScenarioResult } from "./campaign.js";
import type { Counts } from "./scenario.js";

/** Counts that have their own column, or that say nothing about faults. */
const NO_FAULTS = [
  "acknowledged",
  "unknown",
  "refused",
  "limited",
  "replayed",
  "decided",
  "comparisons",
  "claims",
  "finished",
];

const number = (value: number) => Math.round(value).toLocaleString("en");

export function textOf({ seed, seconds, scenarios, failures }: CampaignResult): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const total = (name: string) => number(scenarios.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0));
  return [
    `seed ${seed}, ${(seconds / 60).toFixed(1)} minutes, ${machine}, ${total("comparisons")} comparisons with a daemon, ${total("cuts")} with a rebuilt disk`,
    "",
    "| scenario | lives | failed | seconds | faults | acknowledged | without response | refused or limited |",
    "|---|---|---|---|---|---|---|---|",
    ...scenarios.map(
      (result) =>
        `| ${rowOf(result, failures.filter(({ scenario }) => scenario === result.name).length).join(" | ")} |`,
    ),
    ...failures.flatMap(({ scenario, seed: own, place, folder, violations }) => [
      `\nFAILED: ${scenario}, seed ${own}, ${place}; the data is in ${folder}`,
      ...violations.map((violation) => `  ${violation}`),
      `  again: npm run faults -- --scenario ${scenario} --seed ${own} --lives 1`,
    ]),
    ...(failures.length === 0 ? ["\nno guarantee was violated"] : []),
  ].join("\n");
}

function rowOf({ name, lives, seconds, counts, skipped }: ScenarioResult, failed: number): string[] {
  if (skipped) return [`\`${name}\``, "–", "–", "–", `skipped: ${skipped}`, "–", "–", "–"];
  const sent =
    counts.acknowledged === undefined
      ? ["–", "–", "–"]
      : [
          number(counts.acknowledged),
          number(counts.unknown ?? 0),
          number((counts.refused ?? 0) + (counts.limited ?? 0)),
        ];
  return [`\`${name}\``, number(lives), number(failed), number(seconds), faultsOf(counts), ...sent];
}

function faultsOf(counts: Counts): string {
  const faults = Object.entries(counts).filter(
    ([name]) => !NO_FAULTS.includes(name) && !name.startsWith("cuts-"),
  );
  return faults.map(([name, count]) => `${number(count)} ${name.replaceAll("-", " ")}`).join(", ") || "–";
}
