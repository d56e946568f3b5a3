/** Implements `wireroom approval watch`: runs a command for each wire or knock that waits for approval. */
import { join } from "node:path";
import type { Approval } from "../../../sdk/src/api.js";
import { fileCursors } from "../../../sdk/src/node.js";
import { sleep } from "../../clock.js";
import { consoleUrl } from "../../commands/account/console.js";
import { Failure } from "../../failure.js";
import { jsonText } from "../../output/safe.js";
import type { Session } from "../../session.js";
import { metadataOf } from "../sign-in/provider-discovery.js";
import { untilSignal } from "../until-signal.js";
import { assertProgram, CommandFailure, type CommandLine, isMissing, runCommand } from "./command.js";
import { watchFolder, withWatchLock } from "./watch.js";

const HOLD_S = 50;
/** Seconds before each further attempt. */
const RETRY_DELAYS_S = [1, 2, 4, 8];

/** Runs until a signal. */
export async function watchApprovals(session: Session, command: CommandLine): Promise<void> {
  await assertProgram(command, session.env);
  await untilSignal(session, async (retry) => {
    const { signal } = retry;
    const client = await session.dashboard();
    const { id } = await client.account.get(retry);
    const console = await publicConsole(session);
    const file = join(await watchFolder(session), `approvals.${id}`);
    await withWatchLock(file, "the approvals of this account", undefined, async () => {
      session.output.note("watching for wires and knocks of your handles that wait for your approval");
      const cursors = fileCursors(`${file}.cursor`);
      for (let cursor = await cursors.get("approvals"); !signal.aborted; ) {
        // Read one approval at a time, so that after a crash only the last command runs again.
        const page = await client.approvals.list({ wait: HOLD_S, limit: 1, cursor }, retry);
        retry.onRead();
        for (const approval of page.approvals) await tell(session, command, approval, console, signal);
        if (signal.aborted || page.next_cursor === null) return;
        cursor = page.next_cursor;
        await cursors.set("approvals", cursor);
      }
    });
  });
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
      const input = `${jsonText(approval)}\n`;
      await runCommand(command, { env, input, collects: false, output: 1, signal });
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
  const { resource } = await metadataOf(await session.url());
  return `${new URL(String(resource)).origin}/console`;
}
