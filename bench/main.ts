/** `npm run bench`: measures the rows that are named, or all that fit into ten minutes. */
import { Command, InvalidArgumentError } from "commander";
import { Lab, type LabSettings } from "./measure/lab.js";
import { lines, type Report, writeReports } from "./measure/report.js";
import { rows } from "./rows/index.js";

function positive(text: string): number {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("must be a number above 0");
}

const program = new Command("npm run bench --")
  .description("Measures the daemon against baselines that run in turns with it.")
  .argument(
    "[names...]",
    `rows to run: ${rows.map(({ name }) => name).join(", ")} (default: all but soak and postgres-…)`,
  )
  .option("--rounds <n>", "rounds of each comparison", positive, 5)
  .option("--seconds <n>", "length of one measurement", positive, 1)
  .option("--wires <n>", "wires in every database, for a quick look", positive)
  .option("--against <command>", "another build's dist/cli/main.js, in place of the Koa floor")
  .action(async (names: string[], options: Omit<LabSettings, "say">) => {
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
      for (const report of found) for (const line of lines(report)) say(line);
    }
    say(`\nwritten to ${await writeReports(reports)}`);
  });

/** A row that fails is reported as failed, and the others are measured all the same. */
async function measure(row: (typeof rows)[number], settings: LabSettings): Promise<Report[]> {
  const lab = new Lab(settings);
  try {
    return await row.run(lab);
  } catch (error) {
    process.exitCode = 1;
    return [{ title: row.name, findings: [], figures: [], note: `FAILED: ${(error as Error).stack}` }];
  } finally {
    await lab.close();
  }
}

await program.parseAsync();
