/** `npm run attacks`: runs all attacks, or the named ones, and prints the table of docs/reliability.md. */
import { cpus } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { type AttackResult, runCampaign } from "./campaign.js";
import { attacks } from "./kinds/index.js";

function positive(text: string): number {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError("must be a number above 0");
}

function collect(name: string, names: readonly string[] = []): string[] {
  if (attacks.some((attack) => attack.name === name)) return [...names, name];
  throw new InvalidArgumentError("--list prints the attacks");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const ms = (value: number) =>
  Number.isFinite(value) ? `${Math.round(value).toLocaleString("en")} ms` : "failed";

function rowOf({ attack, quiet, attacked, signInMs, memoryMib, counts, violations }: AttackResult): string {
  const attacker = Object.entries(counts).map(([name, count]) => `${count.toLocaleString("en")} × ${name}`);
  const cells = [
    ...[`\`${attack.name}\``, attack.title, attack.by, attacker.join(", ") || "–"],
    ...[ms(quiet.p99), ms(attacked.p99), `${attacked.failed} of ${attacked.requests}`],
    ...[ms(signInMs), `${memoryMib} MiB`, violations.length === 0 ? "holds" : "**fails**"],
  ];
  return `| ${cells.join(" | ")} |`;
}

interface Flags {
  attack?: string[];
  seconds: number;
  list?: boolean;
}

const program = new Command("npm run attacks --")
  .description("Attacks daemons with a heap of 512 MiB and 1,024 files, while ten ordinary agents use them.")
  .option("--attack <name>", "run only this attack; repeatable", collect)
  .option("--seconds <n>", "duration of each attack", positive, 15)
  .option("--list", "list the attacks")
  .action(async ({ attack: names, seconds, list }: Flags) => {
    if (list) {
      for (const { name, by, title } of attacks) print(`${name.padEnd(27)} ${by.padEnd(12)} ${title}`);
      return;
    }
    const results = await runCampaign({
      attacks: attacks.filter(({ name }) => names?.includes(name) ?? true),
      seconds,
      say: (line) => void process.stderr.write(`${line}\n`),
    });
    print(`\nNode ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);
    print(
      "| attack | what it does | by | responses to it | quiet p99 | p99 | failed | longest sign-in | memory | |",
    );
    print(`|${"---|".repeat(10)}`);
    for (const result of results) print(rowOf(result));
    const failed = results.filter(({ violations }) => violations.length > 0);
    for (const { attack, violations } of failed) print(`\nFAILED: ${attack.name}: ${violations.join("; ")}`);
    if (failed.length === 0) print("\nno attack was noticed");
    process.exit(failed.length > 0 ? 1 : 0);
  });

await program.parseAsync();
