/**
 * Runs `wireroom demo`. Deletes everything at the end, also after an error or Ctrl-C, unless it keeps its
 * daemon.
 */
import { Failure, Interrupted } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { withProgress } from "../../output/progress.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { assertDriver } from "../daemon/driver.js";
import { stepsAfterStart } from "../daemon/profile-url.js";
import { DemoDaemon } from "./daemon.js";
import { Narrator } from "./narrator.js";
import { tellStory } from "./story.js";

const KEPT_FIELDS = ["pid", "console_url"];

export async function runDemo(session: Session, isKept: boolean): Promise<void> {
  assertDriver();
  const { output } = session;
  const interrupted = new AbortController();
  onInterrupt((exitCode) => interrupted.abort(new Interrupted(exitCode)));
  const narrator = new Narrator(output, interrupted.signal);
  let daemon: DemoDaemon | undefined;
  try {
    daemon = await withProgress(session, (progress) => {
      progress.show("starting a daemon for the demo …");
      return DemoDaemon.start();
    });
    const you = await daemon.signIn("you");
    await tellStory(narrator, you, await daemon.signIn("stranger"));
    if (isKept) {
      const { pid, consoleUrl } = await daemon.keep(you);
      output.item({ pid, console_url: consoleUrl }, () => printKept(output, pid, consoleUrl), KEPT_FIELDS);
    }
  } catch (error) {
    // Check for a signal first, because it may have ended the daemon too, which then fails to start.
    interrupted.signal.throwIfAborted();
    throw new Failure("FAILED", `the demo failed: ${(error as Error).message}`, [
      "Find the problem: wireroom doctor",
    ]);
  } finally {
    await daemon?.end();
  }
  if (isKept) return;
  output.note("\nThe demo is over, and everything of it is deleted.");
  // Ignore a damaged profile, because the demo does not use it.
  output.nextSteps(...(await stepsAfterStart(session, true).catch(() => ["wireroom init"])));
}

function printKept(output: Output, pid: number, consoleUrl: string): void {
  output.line("\nThe demo keeps running. Open its console within a minute, signed in as you:\n");
  output.line(`  ${consoleUrl}\n`);
  output.line(`To stop the demo and to delete it: kill ${pid}`);
}
