/**
 * Implements `wireroom hook --wake`, a background hook that wakes an idle session of Claude Code or OpenCode.
 * The hook starts at the end of a turn, waits for an urgent item, and ends with the exit code that wakes the
 * session.
 *
 * A session has one waiter, which the session's record names. The waiter ends within a second, without
 * output, when the record names another waiter, when the session ends and removes its record, or when the
 * host's process ends.
 */
import { now, sleep } from "../../clock.js";
import { Failure } from "../../failure.js";
import type { OriginFlags } from "../../input/origin.js";
import type { ProcessIO } from "../../process-io.js";
import { HookInbox, UnexpectedStatus } from "./inbox.js";
import { isUrgent, isWanted, type NewItem, newItems, reasonText } from "./items.js";
import { hookInput, STOP_EVENTS } from "./protocol.js";
import type { HookFlags } from "./run.js";
import {
  allRecords,
  MOST_CONTINUATIONS,
  readRecord,
  type SessionId,
  type SessionRecord,
  sessionId,
  withInboxLock,
  writeRecord,
} from "./sessions.js";

/** Maximum duration of a long poll (docs/specification/reading.md#long-polls). */
const HOLD_S = 50;
/** Pause between two reads while unread items exist, because the service then does not hold the request. */
const PAUSE_MS = 500;
const RETRY_MS = 5_000;
const READ_LIMIT_MS = 2_000;

export interface Waiting {
  flags: OriginFlags;
  /**
   * How many times in a row new items have already made the agent continue. Only a wake after the first read
   * adds to this number. After a later wake, the number is 1.
   */
  continuations: number;
  signal?: AbortSignal;
  /** Checked twice a second. If it returns false, the wait ends. */
  isNeeded(): boolean | Promise<boolean>;
  /** Wakes the session. If this succeeds, the items count as shown to the session. */
  wake(text: string): Promise<void>;
  onRetry?(error: Error): void;
}

/** Returns whether the session must be woken. The reason is on standard error. */
export async function waitForNews(flags: HookFlags, io: ProcessIO): Promise<boolean> {
  const { event, session, isContinued } = await hookInput(io);
  // In print mode, Claude Code waits for background hooks, so the program would not end.
  const isPrintMode = io.env.CLAUDE_CODE_ENTRYPOINT === "sdk-cli";
  const inbox = await HookInbox.open(flags, io);
  const id = sessionId(inbox, session ?? flags.session);
  if (!id || isPrintMode || (event !== undefined && !STOP_EVENTS.includes(event))) return false;
  const { continuations } = await register(id, { lastHookAt: new Date(now()).toISOString() });
  const parent = process.ppid;
  return nextWake(inbox, id, {
    flags,
    continuations: isContinued ? continuations : 0,
    isNeeded: () => process.ppid === parent,
    wake: (text) => new Promise((resolve) => io.stderr.write(`${text}\n`, () => resolve())),
  });
}

/** Makes this process the session's waiter. Returns the record. */
export function register(id: SessionId, changes: Partial<SessionRecord> = {}): Promise<SessionRecord> {
  return withInboxLock(id, async () => {
    const waiter = { pid: process.pid, since: new Date(now()).toISOString() };
    const record = { ...(await readRecord(id)), ...changes, waiter, isWaking: false };
    await writeRecord(id, record);
    return record;
  });
}

export async function isWaiter(id: SessionId): Promise<boolean> {
  return (await readRecord(id)).waiter?.pid === process.pid;
}

/**
 * Resolves to true once the session is woken, or to false if `isNeeded` returns false or another waiter has
 * replaced this one. Throws if no read can succeed.
 */
export async function nextWake(inbox: HookInbox, id: SessionId, waiting: Waiting): Promise<boolean> {
  const stop = new AbortController();
  const watching = setInterval(async () => {
    if (!(await waiting.isNeeded()) || !(await isWaiter(id))) stop.abort();
  }, PAUSE_MS);
  try {
    const signal = AbortSignal.any([stop.signal, ...(waiting.signal ? [waiting.signal] : [])]);
    return await wakeOnNews(inbox, id, waiting, signal);
  } finally {
    clearInterval(watching);
  }
}

async function wakeOnNews(
  inbox: HookInbox,
  id: SessionId,
  waiting: Waiting,
  signal: AbortSignal,
): Promise<boolean> {
  /** Ids of the items that another session was told about. */
  const passed = new Set<string>();
  for (let look = 1; !signal.aborted; look++) {
    try {
      const limit = AbortSignal.timeout((HOLD_S + 10) * 1_000);
      const { page } = await inbox.read(AbortSignal.any([signal, limit]), HOLD_S);
      const { ids, left, isWaking } = await readRecord(id);
      const known = new Set([...ids, ...left, ...passed]);
      const fresh = wakingItems(newItems(page), waiting.flags).filter((item) => !known.has(item.id));
      if (fresh.length > 0 && !isWaking) {
        if (await wake(inbox, id, waiting, look === 1)) return true;
        for (const item of fresh) passed.add(item.id);
      }
      const isEmpty = Object.values(page).every((items) => !Array.isArray(items) || items.length === 0);
      if (!isEmpty) await sleep(PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return false;
      if (isFinal(error)) throw error;
      waiting.onRetry?.(error as Error);
      await sleep(RETRY_MS, signal);
    }
  }
  return false;
}

/**
 * Tells the session about items that no session was told about before. Returns false if there are none, if
 * another process waits for the session, or if the session was woken too often in a row.
 */
function wake(inbox: HookInbox, id: SessionId, waiting: Waiting, isFirstLook: boolean): Promise<boolean> {
  return withInboxLock(id, async () => {
    if (!(await isWaiter(id))) return false;
    const record = await readRecord(id);
    const told = new Set((await allRecords(id.folder)).flatMap(({ ids }) => ids));
    const { page, mayHaveMore } = await inbox.read(AbortSignal.timeout(READ_LIMIT_MS));
    const unread = newItems(page);
    const items = wakingItems(unread, waiting.flags).filter(
      (item) => !told.has(item.id) && !record.left.includes(item.id),
    );
    if (items.length === 0) return false;
    const continuations = (isFirstLook ? waiting.continuations : 0) + 1;
    if (continuations > MOST_CONTINUATIONS) {
      await writeRecord(id, { ...record, left: [...record.left, ...items.map((item) => item.id)] });
      return false;
    }
    const { text, shown } = reasonText("While you were idle", {
      items,
      unreadCount: unread.length,
      mayHaveMore,
      inbox,
    });
    await waiting.wake(text);
    const ids = [...record.ids.filter((known) => unread.some((item) => item.id === known)), ...shown];
    const lastWakeAt = new Date(now()).toISOString();
    await writeRecord(id, { ...record, ids, continuations, isWaking: true, lastWakeAt });
    return true;
  });
}

/** Returns the items for which a session is woken. */
function wakingItems(unread: readonly NewItem[], flags: OriginFlags): NewItem[] {
  return unread.filter((item) => isUrgent(item) && isWanted(item, flags));
}

/** Returns whether no later request can succeed, for example because the key was revoked. */
function isFinal(error: unknown): boolean {
  if (error instanceof Failure) return true;
  const { status = 0 } = error instanceof UnexpectedStatus ? error : {};
  return status >= 400 && status < 500 && status !== 429;
}
