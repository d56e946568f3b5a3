/**
 * `npm run hosts`: runs MCP clients of the npm registry against the daemon, and prints what works as a
 * Markdown table.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { clients, type HostClient } from "./clients.js";
import { runHooks } from "./hooks.js";
import { install, versionOf } from "./install.js";
import { matrixOf, type Row } from "./matrix.js";
import { type Access, type ClientRun, runClient } from "./run-client.js";
import type { StepName } from "./script.js";
import { runWakes } from "./wake.js";

interface Flags {
  client?: string[];
  folder?: string;
  concurrency: number;
  list?: boolean;
  hooks?: boolean;
  wake?: boolean;
}

const program = new Command("npm run hosts --")
  .description("Runs MCP clients of the npm registry against the daemon, and prints a matrix of what works.")
  .option("--client <id>", "run only this client; repeatable", collect)
  .option(
    "--folder <folder>",
    "keep the installed clients and the records here (default: a temporary folder)",
  )
  .option("--concurrency <n>", "clients at the same time", Number, 2)
  .option("--list", "list the clients")
  .option("--hooks", "run the hosts that can have wireroom hook in their configuration, and nothing else")
  .option("--wake", "run the hosts that an idle session can be woken in, and nothing else")
  .action(run);

function collect(id: string, ids: readonly string[] = []): string[] {
  if (clients.some((client) => client.id === id)) return [...ids, id];
  throw new InvalidArgumentError("--list prints the clients");
}

async function run(flags: Flags): Promise<void> {
  if (flags.list) {
    for (const { id, title } of clients) process.stdout.write(`${id.padEnd(20)} ${title}\n`);
    return;
  }
  const folder = flags.folder ? resolve(flags.folder) : await mkdtemp(join(tmpdir(), "wireroom-hosts-"));
  await mkdir(folder, { recursive: true });
  if (flags.hooks || flags.wake) {
    process.stdout.write(await (flags.hooks ? runHooks : runWakes)(folder, flags.client));
    if (!flags.folder) await rm(folder, { recursive: true, force: true });
    return;
  }
  const chosen = clients.filter(({ id }) => flags.client?.includes(id) ?? true);
  const rows = new Map<HostClient, Row>();
  const waiting = [...chosen];
  const work = async () => {
    for (let client = waiting.shift(); client; client = waiting.shift()) {
      process.stderr.write(`${client.id} …\n`);
      rows.set(client, await rowOf(client, folder));
    }
  };
  await Promise.all(Array.from({ length: flags.concurrency }, work));
  process.stdout.write(matrixOf(chosen.map((client) => rows.get(client)!)));
  if (!flags.folder) await rm(folder, { recursive: true, force: true });
}

async function rowOf(client: HostClient, folder: string): Promise<Row> {
  const date = new Date().toISOString().slice(0, 10);
  const name = Object.keys(client.packages)[0]!;
  try {
    const installation = await install(folder, client.packages);
    const runBy = async (access: Access, steps?: readonly StepName[]): Promise<ClientRun | string> => {
      try {
        const work = join(folder, "runs", `${client.id}-${access}`);
        return await runClient(client, installation, { access, work, ...(steps && { steps }) });
      } catch (error) {
        return String(error);
      }
    };
    const byKey = await runBy("key");
    // The rest does not depend on how the client has connected.
    const byOAuth = client.withoutOAuth ? undefined : await runBy("oauth", ["send"]);
    const isDocumentMissing = typeof byOAuth === "object" && byOAuth.missingDocument !== undefined;
    return {
      title: client.title,
      version: await versionOf(installation, name),
      nodeVersion: installation.nodeVersion,
      byKey,
      byOAuth,
      withoutOAuth: client.withoutOAuth,
      byRegistration: isDocumentMissing ? await runBy("registration", ["send"]) : undefined,
      date,
    };
  } catch (error) {
    const reason = String(error);
    return {
      title: client.title,
      version: client.packages[name]!,
      nodeVersion: "",
      byKey: reason,
      byOAuth: reason,
      byRegistration: undefined,
      withoutOAuth: undefined,
      date,
    };
  }
}

await program.parseAsync();
// The issuer of the test harness would keep the process alive.
process.exit();
