/** Declares `wireroom export`, whose file appears only when it is complete. */
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ExportLine } from "../../../sdk/src/api.js";
import { randomHexName } from "../../clock.js";
import { Failure, Interrupted } from "../../failure.js";
import { type Progress, withProgress } from "../../output/progress.js";
import { jsonText } from "../../output/safe.js";
import { size } from "../../output/units.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { command } from "../command.js";

export const add = command<{ force?: true }>({
  name: "export",
  description: "export everything your account owns as JSON lines",
  arguments: [{ usage: "<file>", description: "file to write, or - for standard output" }],
  options: (command) => command.option("--force", "replace an existing file"),
  help: `\
Exports the account, its handles (retired ones too) with all their data, and the audit log. Each line has a "type".
The last line is {"type":"end","lines":N}; without it, the export is incomplete. API keys are listed without their secrets.
The file appears only when it is complete, and only you can read it.`,
  examples: [
    "wireroom export wireroom-$(date +%F).jsonl",
    `wireroom export - | jq -c 'select(.type == "wire")'`,
  ],
  run: (session, { force }, target) => exportAccount(session, force, target!),
});

async function exportAccount(session: Session, force: true | undefined, target: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  if (target === "-") {
    for await (const line of client.account.export())
      await output.writeAndWait(output.jsonLine(line, { operation: "account.export" }));
    return;
  }
  const file = resolve(target);
  await assertWritable(file, force);
  const stop = new AbortController();
  onInterrupt((exitCode) => stop.abort(new Interrupted(exitCode)));
  const { lines, bytes } = await withProgress(session, (progress) =>
    writeAtomically(file, client.account.export({ signal: stop.signal }), progress),
  );
  output.result({ file, lines, bytes }, () =>
    output.success(`wrote the export to ${file} (${lines} lines, ${size(bytes)})`, file),
  );
}

async function assertWritable(file: string, force: true | undefined): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw new Failure("USAGE", `${file} is not a file; name a file, or - for standard output`);
  if (found && !force)
    throw new Failure("USAGE", `${file} already exists; name another file, or pass --force to replace it`);
}

interface Written {
  lines: number;
  bytes: number;
}

async function writeAtomically(
  file: string,
  lines: AsyncIterable<ExportLine>,
  progress: Progress,
): Promise<Written> {
  const draft = join(dirname(file), `.${basename(file)}.${randomHexName()}.part`);
  const written: Written = { lines: 0, bytes: 0 };
  try {
    const handle = await open(draft, "wx", 0o600);
    await pipeline(countLines(lines, written, progress), handle.createWriteStream({ flush: true }));
    await rename(draft, file);
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Failure("FAILED", `cannot write ${file}: ${(error as Error).message}`, [], {
      cause: error,
    });
  }
}

/** Lines between two updates of the progress line. */
const PROGRESS_INTERVAL = 500;

async function* countLines(
  lines: AsyncIterable<ExportLine>,
  written: Written,
  progress: Progress,
): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) {
    const text = `${jsonText(line)}\n`;
    written.lines++;
    written.bytes += Buffer.byteLength(text);
    if (written.lines % PROGRESS_INTERVAL === 0)
      progress.show(`exporting: ${written.lines} lines, ${size(written.bytes)}`);
    yield text;
  }
}
