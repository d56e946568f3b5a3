/** `npm run faults`: runs the fault campaign, or only the named scenarios. */
import { mkdirSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { runCampaign } from "./campaign.js";
import { textOf } from "./report.js";
import { scenarios } from "./scenarios/index.js";

function positive(text: string): number {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("must be a number above 0");
}

function collect(name: string, names: readonly string[] = []): string[] {
  if (scenarios.some((scenario) => scenario.name === name)) return [...names, name];
  throw new InvalidArgumentError("--list prints the scenarios");
}

interface Flags {
  seed?: number;
  minutes: number;
  scenario?: string[];
  lives?: number;
  concurrency: number;
  folder: string;
  list?: boolean;
  json?: boolean;
}

const program = new Command("npm run faults --")
  .description(
    "Injects faults into daemons under load, and compares what they keep with what they acknowledged.",
  )
  .option("--seed <n>", "seed of every random decision (default: a random one, which is printed)", positive)
  .option("--minutes <n>", "length of the campaign; lives that are under way are finished", positive, 60)
  .option("--scenario <name>", "run only this scenario; repeatable", collect)
  .option(
    "--lives <n>",
    "maximum lives of each scenario; a life is a new service with its load and faults",
    positive,
  )
  .option("--concurrency <n>", "lives at the same time", positive, availableParallelism())
  .option(
    "--folder <folder>",
    "folder for data; that of a failed life is kept",
    join(tmpdir(), "wireroom-faults"),
  )
  .option("--list", "list the scenarios")
  .option("--json", "print the result as JSON")
  .action(async (flags: Flags) => {
    if (flags.list) {
      for (const { name, title } of scenarios) print(`${name.padEnd(14)} ${title}`);
      return;
    }
    const seed = flags.seed ?? 1 + Math.floor(Math.random() * 2 ** 31);
    const chosen = scenarios.filter(({ name }) => flags.scenario?.includes(name) ?? true);
    mkdirSync(flags.folder, { recursive: true });
    process.stderr.write(`seed ${seed}\n`);
    const result = await runCampaign({
      seed,
      scenarios: chosen,
      seconds: flags.minutes * 60,
      folder: flags.folder,
      concurrency: flags.concurrency,
      say: (line) => void process.stderr.write(`${line}\n`),
      ...(flags.lives && { lives: flags.lives }),
    });
    print(flags.json ? JSON.stringify(result, null, 2) : `\n${textOf(result)}`);
    process.exit(result.failures.length > 0 ? 1 : 0);
  });

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await program.parseAsync();
