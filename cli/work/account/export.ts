/** `wireroom export` */
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ExportLine } from "../../../sdk/src/index.js";
import { freshName } from "../../clock.js";
import { Failure, Interrupted } from "../../failure.js";
import { onInterrupt } from "../../interrupts.js";
import { type Progress, withProgress } from "../../output/progress.js";
import { jsonText } from "../../output/safe.js";
import { size } from "../../output/units.js";
import type { Session } from "../../session.js";

export interface ExportFlags {
  force?: true;
}

export async function exportAccount(session: Session, { force }: ExportFlags, target: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  if (target === "-") {
    for await (const line of client.account.export()) await output.deliver(textOf(line));
    return;
  }
  const file = resolve(target);
  await assertFree(file, force === true);
  const stop = new AbortController();
  onInterrupt((exitCode) => stop.abort(new Interrupted(exitCode)));
  const { lines, bytes } = await withProgress(session, (progress) =>
    writeWhole(file, client.account.export({ signal: stop.signal }), progress),
  );
  output.result({ file, lines, bytes }, () =>
    output.done(`${file} holds everything (${lines} lines, ${size(bytes)})`, file),
  );
}

function textOf(line: ExportLine): string {
  return `${jsonText(line)}\n`;
}

async function assertFree(file: string, force: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw new Failure("USAGE", `${file} is no file; name one, or - for standard output`);
  if (found && !force)
    throw new Failure("USAGE", `${file} is there already; name another file, or say --force to replace it`);
}

interface Written {
  lines: number;
  bytes: number;
}

/** The file appears under its name once it is whole and on disk; what is cut short leaves none behind. */
async function writeWhole(
  file: string,
  lines: AsyncIterable<ExportLine>,
  progress: Progress,
): Promise<Written> {
  const draft = join(dirname(file), `.${basename(file)}.${freshName()}.part`);
  const written: Written = { lines: 0, bytes: 0 };
  try {
    const handle = await open(draft, "wx", 0o600);
    await pipeline(counted(lines, written, progress), handle.createWriteStream({ flush: true }));
    await rename(draft, file);
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new Failure("FAILED", `${file} cannot be written: ${(error as Error).message}`, [], {
      cause: error,
    });
  }
}

/** Lines between two words on how far it is. */
const STEP = 500;

async function* counted(
  lines: AsyncIterable<ExportLine>,
  written: Written,
  progress: Progress,
): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) {
    const text = textOf(line);
    written.lines++;
    written.bytes += Buffer.byteLength(text);
    if (written.lines % STEP === 0) progress.say(`exporting: ${written.lines} lines, ${size(written.bytes)}`);
    yield text;
  }
}
