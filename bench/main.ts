/** `npm run bench`: measures the named rows, or all rows that together take at most ten minutes. */
import { Command, InvalidArgumentError } from "commander";
import { BenchEnvironment, type BenchSettings } from "./measure/environment.js";
import { formatReport, type Report, writeReports } from "./measure/report.js";
import { rows } from "./rows/index.js";

function positive(text: string): number {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("must be a number above 0");
}

const program = new Command("npm run bench --")
  .description("Measures the daemon against baselines that run in turns with it.")
  .argument(
    "[names...]",
    `rows to run: ${rows.map(({ name }) => name).join(", ")} (default: all but soak, stalls, growth and postgres-…)`,
  )
  .option("--rounds <n>", "rounds of each comparison", positive, 5)
  .option("--seconds <n>", "length of one measurement", positive, 1)
  .option("--wires <n>", "wires in every database, for a quick look", positive)
  .option("--minutes <n>", "length of soak (default 10)", positive)
  .option("--rate <n>", "posts a second of soak (default: half of the peak)", positive)
  .option(
    "--retain <days>",
    "retention of the daemon of soak; wires expire as fast as new ones arrive",
    positive,
  )
  .option("--against <command>", "another build's dist/cli/main.js, in place of the Koa floor")
  .action(async (names: string[], options: Omit<BenchSettings, "say">) => {
    const unknown = names.filter((name) => !rows.some((row) => row.name === name));
    if (unknown.length > 0)
      program.error(`there is no row ${unknown.join(", ")}; --help lists those there are`);
    const chosen = rows.filter(({ name, onlyByName }) =>
      names.length > 0 ? names.includes(name) : !onlyByName,
    );
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    const settings = { ...options, say };
    const reports: Record<string, Report[]> = {};
    for (const row of chosen) {
      const found = await measure(row, settings);
      reports[row.name] = found;
      for (const report of found) for (const line of formatReport(report)) say(line);
    }
    say(`\nwritten to ${await writeReports(reports)}`);
  });

/** Measures one row. A failure is reported and does not stop the other rows. */
async function measure(row: (typeof rows)[number], settings: BenchSettings): Promise<Report[]> {
  const bench = new BenchEnvironment(settings);
  try {
    return await row.run(bench);
  } catch (error) {
    process.exitCode = 1;
    return [{ title: row.name, findings: [], figures: [], note: `FAILED: ${(error as Error).stack}` }];
  } finally {
    await bench.close();
  }
}

await program.parseAsync();
