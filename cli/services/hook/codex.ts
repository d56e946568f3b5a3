/** Implements `wireroom watch --wake codex`: queues a fixed line for a session of Codex. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { sleep } from "../../clock.js";
import { Failure } from "../../failure.js";
import type { OriginFlags } from "../../input/origin.js";
import type { Session } from "../../session.js";
import { untilSignal } from "../until-signal.js";
import { assertProgram } from "../watch/command.js";
import { HookInbox } from "./inbox.js";
import { wakeLine } from "./items.js";
import { allRecords, type SessionId, sessionId } from "./sessions.js";
import { isWaiter, nextWake, register } from "./wait.js";

const PAUSE_MS = 1_000;

/** Wakes the handle's Codex session that ran the hook last. Runs until a signal. */
export async function wakeCodex(session: Session, flags: OriginFlags): Promise<void> {
  await assertProgram({ program: "codex", args: [] }, session.env, [
    "Install Codex, or add its folder to PATH.",
  ]);
  const inbox = await HookInbox.open(session.flags, session.io);
  await untilSignal(session, ({ signal }) => wakeLatest(session, inbox, flags, signal));
}

async function wakeLatest(
  { output, env }: Session,
  inbox: HookInbox,
  flags: OriginFlags,
  stop: AbortSignal,
): Promise<void> {
  const whose = inbox.handle === undefined ? "" : ` of @${inbox.handle}`;
  let current: SessionId | undefined;
  let problem: string | undefined;
  while (!stop.aborted) {
    const latest = await latestSession(inbox);
    if (latest === undefined) {
      if (problem === undefined) output.note(`waiting for a session of Codex${whose} that runs the hook`);
      problem = "";
      await sleep(PAUSE_MS, stop);
      continue;
    }
    if (latest.session !== current?.session) {
      await register(latest);
      output.note(`waking session ${latest.session}${whose}`);
    } else if (!(await isWaiter(latest)))
      throw new Failure("ALREADY_RUNNING", `another process now wakes session ${latest.session}`);
    current = latest;
    const isLatest = async () => (await latestSession(inbox))?.session === latest.session;
    const isWoken = await nextWake(inbox, latest, {
      ...{ flags, continuations: 0, signal: stop, isNeeded: isLatest },
      wake: () => queue(latest.session, wakeLine(inbox), env),
      onRetry({ message }) {
        if (message !== problem) output.warn(`${message}; trying again`);
        problem = message;
      },
    });
    if (isWoken) output.note(`woke session ${latest.session}`);
  }
}

async function latestSession(inbox: HookInbox): Promise<SessionId | undefined> {
  const records = await allRecords(inbox.folder);
  const latest = records.find(
    ({ host, profile, handle }) =>
      host === "codex" && profile === inbox.profileName && handle === (inbox.handle ?? ""),
  );
  return sessionId(inbox, latest?.session);
}

/** `codex queue` makes Codex run the line as a prompt, at the latest after the current turn. */
async function queue(thread: string, message: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ["queue", "--thread", thread, "--message", message];
  const child = spawn("codex", args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [reason, code] = await Promise.all([text(child.stderr), ended]);
  if (code !== 0) throw new Error(`codex queue ended with ${code}: ${reason.trim()}`);
}
