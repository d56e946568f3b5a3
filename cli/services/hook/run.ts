/**
 * Implements `wireroom hook`: tells an agent about new inbox items, in the form that the host expects from a
 * hook. The agent waits for the hook in each turn, so for speed this file loads neither commander nor the
 * SDK.
 */
import { parseArgs } from "node:util";
import { now } from "../../clock.js";
import { EXIT } from "../../exit-codes.js";
import type { OriginFlags } from "../../input/origin.js";
import type { ProcessIO } from "../../process-io.js";
import { configFolder } from "../../profiles/folder.js";
import { exitOnSignals, exitSafely } from "../../signals.js";
import { HookInbox, type InboxFlags, type InboxPage } from "./inbox.js";
import { contextText, isUrgent, isWanted, newItems, reasonText } from "./items.js";
import { CONTEXT_EVENTS, END_EVENT, type HookInput, hookInput, STOP_EVENTS } from "./protocol.js";
import {
  forgetOldest,
  MOST_CONTINUATIONS,
  NEW_RECORD,
  readRecord,
  removeRecord,
  type SessionRecord,
  sessionId,
  withInboxLock,
  writeRecord,
} from "./sessions.js";

export interface HookFlags extends InboxFlags, OriginFlags {
  /** Session id for the record of shown items, if the host passes no session id. */
  session?: string | undefined;
  wake?: boolean | undefined;
}

const READ_LIMIT_MS = 2_000;

/** Returns the parsed flags, or undefined for arguments that commander must handle, such as `--help`. */
export function hookFlags(args: readonly string[]): HookFlags | undefined {
  const text = { type: "string" } as const;
  const options = { profile: text, as: text, url: text, session: text } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...options, wake: { type: "boolean" }, relation: text, "sent-by": text },
      allowPositionals: false,
    });
    return { ...values, relation: values.relation?.split(","), sentBy: values["sent-by"] };
  } catch {
    return undefined;
  }
}

/**
 * Prints the inbox's new items. Prints nothing and succeeds if nothing is new or the inbox cannot be read,
 * because a hook must never disturb the host's session. Acknowledges nothing.
 */
export async function runHook(flags: HookFlags, io: ProcessIO): Promise<void> {
  if (io === process) exitOnSignals();
  try {
    io.stdout.on("error", () => {});
    if (flags.wake) {
      const { waitForNews } = await import("./wait.js");
      // https://code.claude.com/docs/en/hooks: the exit code with which a background hook wakes the session.
      if (await waitForNews(flags, io)) io.exitCode = 2;
    } else {
      const text = await hookOutput(flags, io);
      if (text !== undefined) await new Promise<void>((resolve) => io.stdout.write(text, () => resolve()));
    }
    await forgetOldest(configFolder(io.env));
  } catch {
    // Exit now, because open requests would keep the process alive. `wireroom inbox` shows any error.
    if (io === process) exitSafely(EXIT.ok);
  }
}

async function hookOutput(flags: HookFlags, io: ProcessIO): Promise<string | undefined> {
  const inbox = await HookInbox.open(flags, io);
  const signal = AbortSignal.timeout(READ_LIMIT_MS);
  const reading = unlessAborted(inbox.read(signal), signal);
  // Ignore the error here, because `await reading` below throws it.
  reading.catch(() => {});
  const input = await hookInput(io);
  const { event } = input;
  const id = sessionId(inbox, input.session ?? flags.session);
  if (event === END_EVENT) {
    if (id) await removeRecord(id);
    return undefined;
  }
  const isStop = event !== undefined && STOP_EVENTS.includes(event);
  if (event !== undefined && !isStop && !CONTEXT_EVENTS.includes(event)) return undefined;
  const page = await reading;
  // Without a session id, the hook cannot record the shown items, and would keep the agent working forever.
  if (!id) return isStop ? undefined : told(page, input, NEW_RECORD, inbox, flags).output;
  return withInboxLock(id, async () => {
    const before = await readRecord(id);
    const { output, record } = told(page, input, before, inbox, flags);
    await writeRecord(id, record);
    return output;
  });
}

/** Returns what the hook prints, and the session's new record. */
function told(
  { page, mayHaveMore }: InboxPage,
  { event, isContinued, host }: HookInput,
  before: SessionRecord,
  inbox: HookInbox,
  flags: HookFlags,
): { output: string | undefined; record: SessionRecord } {
  const isStop = event !== undefined && STOP_EVENTS.includes(event);
  // At `SessionStart`, ignore which items were shown before, because the agent's context is empty.
  const { ids, isToldOfMore } = event === "SessionStart" ? NEW_RECORD : before;
  const unread = newItems(page);
  const fresh = unread.filter(
    (item) => !ids.includes(item.id) && (isUrgent(item) || !isStop) && isWanted(item, flags),
  );
  const continuations = isStop
    ? (isContinued ? before.continuations : 0) + 1
    : // The turn of a wake does not start the count again.
      before.isWaking
      ? before.continuations
      : 0;
  const isOverLimit = isStop && continuations > MOST_CONTINUATIONS;
  const isNews = fresh.length > 0 || (mayHaveMore && !isToldOfMore && !isStop);
  const notice = { items: fresh, unreadCount: unread.length, mayHaveMore, inbox };
  const described =
    !isNews || isOverLimit ? undefined : isStop ? reasonText("Before you stop", notice) : contextText(notice);
  // Keep only the ids of unread items, because acknowledged items do not return.
  const isUnread = (id: string) => unread.some((item) => item.id === id);
  const record = {
    ...before,
    ...(host && { host }),
    ids: [...ids.filter(isUnread), ...(described?.shown ?? [])],
    left: [...before.left.filter(isUnread), ...(isOverLimit ? fresh.map(({ id }) => id) : [])],
    continuations: isStop && !described ? before.continuations : continuations,
    isToldOfMore: described ? mayHaveMore : isToldOfMore,
    isWaking: isStop && before.isWaking,
    lastHookAt: new Date(now()).toISOString(),
  };
  return { output: described && outputOf(event, host, described.text), record };
}

/**
 * Returns the text in the format of the hosts: https://code.claude.com/docs/en/hooks,
 * https://developers.openai.com/codex/hooks, https://geminicli.com/docs/hooks/reference,
 * https://docs.github.com/en/copilot/reference/hooks-reference,
 * https://moonshotai.github.io/kimi-code/en/customization/hooks.html
 */
function outputOf(event: string | undefined, host: HookInput["host"], text: string): string {
  if (event === undefined) return `${text}\n`;
  const output = STOP_EVENTS.includes(event) ? reasonFor(host, text) : contextFor(host, event, text);
  return `${JSON.stringify(output)}\n`;
}

function reasonFor(host: HookInput["host"], reason: string): object {
  if (host !== "kimi") return { decision: "block", reason };
  return { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: reason } };
}

function contextFor(host: HookInput["host"], event: string, text: string): object {
  if (host === "kimi") return { message: text };
  if (host === "copilot") return { additionalContext: text };
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}

/** Rejects when the signal aborts. Does not stop the work that it waits for. */
function unlessAborted<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    waiting.then(resolve, reject);
  });
}
