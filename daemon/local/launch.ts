/** A daemon in the background. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Flags } from "../settings.js";
import { findDaemon } from "./find.js";
import type { DaemonState } from "./folder.js";
import { rotateWhenFull } from "./log-file.js";

const COMMAND = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
const PAUSE = 50;
/** Bytes of the log in which the reason of a failed start is looked for. */
const LAST_WORDS = 8 * 1024;

/** The daemon did not start; the message is its own last line. */
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
 * Starts `wireroom daemon` in a session of its own and waits until it serves, however long its migrations take. Where this
 * process ends before, the daemon ends too. Throws `LaunchFailed`.
 */
export async function launchDaemon({ flags, env, dataDir, logFile }: Launch): Promise<DaemonState> {
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  rotateWhenFull(logFile);
  const log = openSync(logFile, "a", 0o600);
  const begins = statSync(logFile).size;
  // By the environment: a mail server's password would stand in the list of processes.
  const child = spawn(process.execPath, [COMMAND, "daemon"], {
    detached: true,
    env: { ...env, ...variablesOf(flags, env), WIREROOM_LOG_FILE: logFile },
    // What a crash has to say goes to the log as well.
    stdio: ["ignore", "ignore", log],
  });
  closeSync(log);
  const stop = () => void child.kill("SIGTERM");
  process.once("exit", stop);
  try {
    return await serving(child, dataDir, () => lastLine(logFile, begins));
  } finally {
    process.off("exit", stop);
    child.unref();
  }
}

async function serving(child: ChildProcess, dataDir: string, lastWords: () => string): Promise<DaemonState> {
  let failed: Error | undefined;
  child.once("error", (error) => {
    failed = error;
  });
  for (;;) {
    if (failed) throw new LaunchFailed(failed.message, { cause: failed });
    if (child.exitCode !== null || child.signalCode !== null) throw new LaunchFailed(lastWords());
    const found = await findDaemon(dataDir);
    if (found.is === "running" && found.state.pid === child.pid) return found.state;
    await sleep(PAUSE);
  }
}

/** The variable that means the same as a flag (decisions, section 12). */
const VARIABLES: Readonly<Record<Exclude<keyof Flags, "limit">, string>> = {
  host: "WIREROOM_HOST",
  port: "WIREROOM_PORT",
  dataDir: "WIREROOM_DATA_DIR",
  databaseUrl: "WIREROOM_DATABASE_URL",
  publicUrl: "WIREROOM_PUBLIC_URL",
  oidcIssuer: "WIREROOM_OIDC_ISSUER",
  oidcAudience: "WIREROOM_OIDC_AUDIENCE",
  smtpUrl: "WIREROOM_SMTP_URL",
  logLevel: "WIREROOM_LOG_LEVEL",
  logFile: "WIREROOM_LOG_FILE",
};

function variablesOf(flags: Flags, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables: NodeJS.ProcessEnv = {};
  for (const [flag, variable] of Object.entries(VARIABLES)) {
    const value = flags[flag as keyof typeof VARIABLES];
    if (value !== undefined) variables[variable] = value;
  }
  // Those of the flags come last, and win.
  if (flags.limit)
    variables.WIREROOM_LIMITS = [env.WIREROOM_LIMITS, ...flags.limit].filter(Boolean).join(",");
  return variables;
}

function lastLine(file: string, begins: number): string {
  const handle = openSync(file, "r");
  try {
    const { size } = statSync(file);
    const from = Math.max(Math.min(begins, size), size - LAST_WORDS);
    const buffer = Buffer.alloc(size - from);
    const length = readSync(handle, buffer, 0, buffer.length, from);
    const lines = buffer.toString("utf8", 0, length).trimEnd().split("\n");
    const words = lines.findLast((line) => line.startsWith("wireroom: ")) ?? lines.at(-1) ?? "";
    return words.replace(/^wireroom: /, "") || "the daemon ended without a word";
  } finally {
    closeSync(handle);
  }
}
