/** Starts a daemon in the background. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../src/kernel/make-folder.js";
import { type Flags, settingVariables } from "../settings.js";
import { findDaemon } from "./find.js";
import type { DaemonState } from "./folder.js";
import { rotateIfFull } from "./log-file.js";
import { COMMAND } from "./offline.js";

const POLL_INTERVAL_MS = 50;

/** The message is the daemon's own error message. */
export class LaunchFailed extends Error {
  override readonly name = "LaunchFailed";
}

export interface Launch {
  flags: Flags;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  logFile: string;
}

/**
 * Starts `wireroom daemon` in a new session, and waits until it serves requests. There is no time limit,
 * because migrations may take long. If this process exits first, the daemon stops too.
 */
export async function launchDaemon({ flags, env, dataDir, logFile }: Launch): Promise<DaemonState> {
  makeFolder(dirname(logFile), 0o700);
  rotateIfFull(logFile);
  const log = openSync(logFile, "a", 0o600);
  const logStart = statSync(logFile).size;
  // Other users can see flags, which may contain a mail password, so use environment variables.
  const child = spawn(process.execPath, [COMMAND, "daemon"], {
    detached: true,
    env: { ...env, ...settingVariables(flags, env), WIREROOM_LOG_FILE: logFile },
    // Redirect standard error, so that the log contains a crash message.
    stdio: ["ignore", "ignore", log],
  });
  closeSync(log);
  const stop = () => void child.kill("SIGTERM");
  process.once("exit", stop);
  try {
    return await untilServing(child, dataDir, () => readFailureReason(logFile, logStart));
  } finally {
    process.off("exit", stop);
    child.unref();
  }
}

async function untilServing(
  child: ChildProcess,
  dataDir: string,
  failureReason: () => string,
): Promise<DaemonState> {
  let failed: Error | undefined;
  child.once("error", (error) => {
    failed = error;
  });
  for (;;) {
    if (failed) throw new LaunchFailed(failed.message, { cause: failed });
    if (child.exitCode !== null || child.signalCode !== null) throw new LaunchFailed(failureReason());
    const found = await findDaemon(dataDir);
    if (found.status === "running" && found.state.pid === child.pid) return found.state;
    await sleep(POLL_INTERVAL_MS);
  }
}

function readFailureReason(file: string, start: number): string {
  const lines = readFileSync(file).toString("utf8", start).trimEnd().split("\n");
  const message = lines.findLast((line) => line.startsWith("wireroom: ")) ?? lines.at(-1) ?? "";
  return message.replace(/^wireroom: /, "") || "the daemon ended without an error message";
}
