/** Records what each session of a host was told, and which process waits to wake it. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { now, randomHexName } from "../../clock.js";
import { jsonObject } from "../../json-object.js";
import { withLock } from "../../profiles/lock.js";
import type { HookingHost } from "./protocol.js";

/** Names an inbox on this machine. */
interface InboxName {
  /** The configuration folder. */
  folder: string;
  profileName: string;
  /** Undefined if only the service knows it, because the key comes from a variable. */
  handle: string | undefined;
}

export interface SessionId {
  folder: string;
  /** The host's id of the session. */
  session: string;
  profile: string;
  handle: string;
}

export interface SessionRecord {
  /** `wireroom watch` wakes only Codex sessions. */
  host?: HookingHost;
  /** Ids of the unread items that the session was told about. */
  ids: string[];
  /**
   * Ids of the items for which the agent did not continue because of `MOST_CONTINUATIONS`. They wake no
   * session.
   */
  left: string[];
  /** Number of times in a row that new items made the agent continue at the end of its turn. */
  continuations: number;
  /** Whether the agent was already told that the inbox may have items that the hook cannot show. */
  isToldOfMore: boolean;
  /** True from a wake until the turn that it starts. */
  isWaking: boolean;
  lastHookAt: string;
  lastWakeAt?: string;
  waiter?: { pid: number; since: string };
}

export const NEW_RECORD: SessionRecord = {
  ids: [],
  left: [],
  continuations: 0,
  isToldOfMore: false,
  isWaking: false,
  lastHookAt: new Date(0).toISOString(),
};

/** Maximum number of continuations in a row. Without it, two agents could keep each other working forever. */
export const MOST_CONTINUATIONS = 5;

const MOST_SESSIONS = 100;
/**
 * An older claim on the lock belongs to a killed hook, because a running hook holds the lock for at most two
 * requests.
 */
const LOCK_LIFE_MS = 10_000;

export function sessionId(inbox: InboxName, session: string | undefined): SessionId | undefined {
  const { folder, profileName: profile, handle = "" } = inbox;
  return session ? { folder, session, profile, handle } : undefined;
}

export async function readRecord(id: SessionId): Promise<SessionRecord> {
  return { ...NEW_RECORD, ...(await parsed(pathOf(id))) };
}

async function parsed(path: string): Promise<Partial<SessionRecord>> {
  return jsonObject(await readFile(path, "utf8").catch(() => ""));
}

export async function writeRecord(id: SessionId, record: SessionRecord): Promise<void> {
  const file = pathOf(id);
  const draft = `${file}.${randomHexName()}`;
  const { session, profile, handle } = id;
  const text = JSON.stringify({ session, profile, handle, ...record } satisfies StoredRecord);
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await rename(draft, file);
}

export async function removeRecord(id: SessionId): Promise<void> {
  await rm(pathOf(id), { force: true });
}

type StoredRecord = SessionRecord & Omit<SessionId, "folder">;

/** Returns the records of all sessions, the one with the latest hook first. */
export async function allRecords(folder: string): Promise<StoredRecord[]> {
  const names = (await readdir(folderOf(folder)).catch(() => [])).filter((name) => name.endsWith(".json"));
  const records = await Promise.all(names.map((name) => parsed(join(folderOf(folder), name))));
  return (
    records
      .map((record) => ({ ...NEW_RECORD, ...record }))
      // Skip records of earlier versions, which do not name their session.
      .filter((record): record is StoredRecord => "session" in record)
      .sort((one, other) => (one.lastHookAt > other.lastHookAt ? -1 : 1))
  );
}

/**
 * Lets only one hook of an inbox decide at a time, so that an item wakes only one session, and no session is
 * told about it twice.
 */
export async function withInboxLock<Result>(id: SessionId, task: () => Promise<Result>): Promise<Result> {
  await mkdir(folderOf(id.folder), { recursive: true, mode: 0o700 });
  const inbox = createHash("sha256").update(`${id.profile}\n${id.handle}`).digest("hex").slice(0, 16);
  return withLock(join(folderOf(id.folder), `inbox-${inbox}`), task, {
    timeoutMs: LOCK_LIFE_MS,
    isOwner: async (_pid, claimedAtMs) => now() - claimedAtMs < LOCK_LIFE_MS,
  });
}

/** Deletes the oldest records if there are too many. Skips a file that another hook has just deleted. */
export async function forgetOldest(folder: string): Promise<void> {
  // Also find drafts, whose names have a second ending. A draft remains if its process was killed.
  const names = (await readdir(folderOf(folder))).filter((name) => /\.json(?:\.[\da-f]+)?$/.test(name));
  if (names.length <= MOST_SESSIONS) return;
  const aged = names.map(async (name) => {
    const file = join(folderOf(folder), name);
    return { file, mtimeMs: (await lstat(file).catch(() => undefined))?.mtimeMs ?? 0 };
  });
  const oldest = (await Promise.all(aged))
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(MOST_SESSIONS / 2);
  await Promise.allSettled(oldest.map(({ file }) => rm(file)));
}

function folderOf(folder: string): string {
  return join(folder, "hooks");
}

/** Returns the file's path. Its name contains a hash, because a session id may contain any characters. */
function pathOf({ folder, session, profile, handle }: SessionId): string {
  const name = [session, profile, handle].join("\n");
  const start = name.replace(/[^\w-]/g, "_").slice(0, 40);
  return join(folderOf(folder), `${start}-${createHash("sha256").update(name).digest("hex")}.json`);
}
