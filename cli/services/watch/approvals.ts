/** Implements `wireroom approval watch`: runs a command for each wire or knock that waits for its human. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Approval, WireroomError } from "../../../sdk/src/index.js";
import { fileCursors } from "../../../sdk/src/node.js";
import { sleep } from "../../clock.js";
import { consoleUrl } from "../../commands/account/console.js";
import { EXIT } from "../../exit-codes.js";
import { Failure, Interrupted } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import { configFolder } from "../../profiles/folder.js";
import { withLock } from "../../profiles/lock.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { Outage } from "../inbox/outage.js";
import { requestJson } from "../sign-in/http.js";
import { assertProgram, CommandFailure, type CommandLine, isMissing, runCommand } from "./command.js";
import { isOlderThan } from "./processes.js";

const HOLD_S = 50;
/** Seconds before each further attempt. */
const RETRY_DELAYS_S = [1, 2, 4, 8];

/** Runs until a signal. */
export async function watchApprovals(session: Session, command: CommandLine): Promise<void> {
  const stop = new AbortController();
  let exitCode: number | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
  });
  const { signal } = stop;
  await assertProgram(command, session.env);
  const client = await session.dashboard();
  const outage = new Outage(await session.url(), (text) => session.output.warn(text));
  const onRetry = (error: WireroomError) => outage.report(error);
  const patient = { signal, onRetry, maxRetries: Infinity, maxRetryAfter: Infinity };
  try {
    const { id } = await client.account.get(patient);
    const console = await publicConsole(session);
    const folder = join(configFolder(session.env), "watch");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `approvals.${id}`);
    await withLock(
      file,
      async () => {
        session.output.note("watching for wires and knocks of your handles that wait for your approval");
        const cursors = fileCursors(`${file}.cursor`);
        for (let cursor = await cursors.get("approvals"); !signal.aborted; ) {
          // One at a time, so that after a crash only the last command runs again.
          const page = await client.approvals.list(
            { wait: HOLD_S, limit: 1, ...(cursor !== undefined && { cursor }) },
            patient,
          );
          outage.end();
          for (const approval of page.approvals) await tell(session, command, approval, console, signal);
          if (signal.aborted || page.next_cursor === null) return;
          cursor = page.next_cursor;
          await cursors.set("approvals", cursor);
        }
      },
      {
        timeoutMs: 1_000,
        isOwner: isOlderThan,
        busy: (pid) =>
          new Failure("ALREADY_RUNNING", `process ${pid} already watches the approvals of this account`, [
            "Stop that process.",
          ]),
      },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (exitCode === EXIT.interrupted) throw new Interrupted(exitCode);
}

/** Runs the command until it exits with 0. After the last attempt, the approval only waits in the list. */
async function tell(
  session: Session,
  command: CommandLine,
  approval: Approval,
  console: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { id, handle, target, kind } = approval;
  const env = {
    ...session.env,
    WIREROOM_ID: id,
    WIREROOM_KIND: kind,
    WIREROOM_HANDLE: handle,
    WIREROOM_TARGET: target,
    ...(console !== undefined && { WIREROOM_CONSOLE_URL: `${console}/approvals/${id}` }),
  };
  for (let attempt = 0; !signal.aborted; attempt++)
    try {
      await runCommand(command, {
        env,
        input: `${jsonText(approval)}\n`,
        collects: false,
        output: 1,
        timeoutMs: undefined,
        signal,
        onStart: () => {},
      });
      return session.output.note(`told of the ${kind} of @${handle} to ${target}  ${id}`);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      if (isMissing(error.exitCode)) throw new Failure("FAILED", `the command ${error.reason}`);
      const delay = RETRY_DELAYS_S[attempt];
      if (signal.aborted) return;
      const then = delay === undefined ? "giving up: wireroom approval list" : `next attempt in ${delay} s`;
      session.output.warn(`${id}: the command ${error.reason}; ${then}`);
      if (delay === undefined) return;
      await sleep(delay * 1_000, signal);
    }
}

/** Returns the console's address for other machines, or undefined if the daemon serves no console. */
async function publicConsole(session: Session): Promise<string | undefined> {
  const own = await consoleUrl(session);
  if (own === undefined) return undefined;
  const { origin, pathname } = new URL(await session.url());
  const body = await requestJson(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  return `${new URL((body as { resource: string }).resource).origin}/console`;
}
