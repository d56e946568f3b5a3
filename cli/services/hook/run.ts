/**
 * Implements `wireroom hook`: tells an agent about new inbox items, in the form that the host expects from a
 * hook. The agent waits for the hook in each turn, so for speed this file loads neither commander nor the
 * SDK.
 */
import { parseArgs } from "node:util";
import { EXIT } from "../../exit-codes.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { ProcessIO } from "../../process-io.js";
import {
  activeHandle,
  apiKeyFor,
  daemonUrl,
  type EndpointOptions,
  noCredentials,
} from "../../profiles/endpoint.js";
import { configFolder, DEFAULT_PROFILE, profileFile, tokenFile } from "../../profiles/folder.js";
import { type Profile, readProfile } from "../../profiles/profile.js";
import { accountOf, readToken } from "../../profiles/token-cache.js";
import { exitOnSignals, exitSafely } from "../../signals.js";
import { contextText, newItems, stopReason } from "./items.js";
import { CONTEXT_EVENTS, hookInput, STOP_EVENTS } from "./protocol.js";
import { readInbox, UnexpectedStatus } from "./read-inbox.js";
import { forgetOldest, NOTHING_SHOWN, readShown, rememberShown } from "./shown.js";

export interface HookFlags {
  profile?: string | undefined;
  as?: string | undefined;
  url?: string | undefined;
  text?: boolean | undefined;
  /** Session id for the record of shown items, if the host passes no session id. */
  session?: string | undefined;
}

/** Maximum number of continuations in a row. Without it, two agents could keep each other working forever. */
const MOST_CONTINUATIONS = 5;

const READ_LIMIT_MS = 2_000;

/** Returns the parsed flags, or undefined for arguments that commander must handle, such as `--help`. */
export function hookFlags(args: readonly string[]): HookFlags | undefined {
  const text = { type: "string" } as const;
  const options = { profile: text, as: text, url: text, session: text, text: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
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
    const text = await hookOutput(flags, io);
    if (text === undefined) return;
    await new Promise<void>((resolve) => io.stdout.write(text, () => resolve()));
    await forgetOldest(configFolder(io.env));
  } catch {
    // Exit now, because open requests would keep the process alive. `wireroom inbox` shows any error.
    if (io === process) exitSafely(EXIT.ok);
  }
}

async function hookOutput(flags: HookFlags, io: ProcessIO): Promise<string | undefined> {
  const env = hostEnvironment(io.env);
  const profileName = flags.profile ?? (env.WIREROOM_PROFILE || DEFAULT_PROFILE);
  const profile = await readProfile(profileFile(profileName, env));
  const options: EndpointOptions = { url: flags.url, as: flags.as, env };
  const signal = AbortSignal.timeout(READ_LIMIT_MS);
  const reading = unreadPage(flags, { ...io, env }, { options, profile, profileName }, signal);
  const [input, { page, mayHaveMore }] = await Promise.all([
    hookInput(io.stdin),
    unlessAborted(reading, signal),
  ]);

  const { event, isContinued } = input;
  const session = input.session ?? flags.session;
  const handle = env.WIREROOM_API_KEY && flags.as === undefined ? undefined : activeHandle(options, profile);
  const file = session && {
    folder: configFolder(env),
    name: [session, profileName, handle ?? ""].join("\n"),
  };
  // At `SessionStart`, ignore which items were shown before, because the agent's context is empty.
  const before = file && event !== "SessionStart" ? await readShown(file) : NOTHING_SHOWN;

  const isStop = event !== undefined && STOP_EVENTS.includes(event);
  if (event !== undefined && !isStop && !CONTEXT_EVENTS.includes(event)) return undefined;
  const continuations = isStop ? (isContinued ? before.continuations : 0) + 1 : 0;
  // Without a file, the hook could not remember the shown items, and would keep the agent working forever.
  if (isStop && (!file || continuations > MOST_CONTINUATIONS)) return undefined;

  const unread = newItems(page);
  // At the end of a turn, only wires make the agent continue, because anyone can knock.
  const fresh = unread.filter(({ id, kind }) => !before.ids.includes(id) && (kind === "wire" || !isStop));
  const isMoreNews = mayHaveMore && !before.isToldOfMore && !isStop;
  if (fresh.length === 0 && !isMoreNews) {
    if (file && !isStop && before.continuations > 0) await rememberShown(file, { ...before, continuations });
    return undefined;
  }
  const notice = {
    items: fresh,
    unreadCount: unread.length,
    mayHaveMore,
    handle,
    command: inboxCommand({ profile: profileName, as: handle && `@${handle}`, url: flags.url }),
  };
  const { text, shown } = isStop
    ? stopReason(notice)
    : contextText(notice, { withText: flags.text === true });
  if (file) {
    // Keep only the ids of unread items, because acknowledged items do not return.
    const stillUnread = before.ids.filter((id) => unread.some((item) => item.id === id));
    await rememberShown(file, { ids: [...stillUnread, ...shown], continuations, isToldOfMore: mayHaveMore });
  }
  if (event === undefined) return `${text}\n`;
  // Output formats of the hosts: https://code.claude.com/docs/en/hooks,
  // https://developers.openai.com/codex/hooks, https://geminicli.com/docs/hooks/reference
  const output = isStop
    ? { decision: "block", reason: text }
    : { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  return `${JSON.stringify(output)}\n`;
}

interface HookProfile {
  options: EndpointOptions;
  profile: Profile;
  profileName: string;
}

async function unreadPage(
  flags: HookFlags,
  io: ProcessIO,
  { options, profile, profileName }: HookProfile,
  signal: AbortSignal,
): ReturnType<typeof readInbox> {
  const url = daemonUrl(options, profile);
  const key = apiKeyFor(options, profile);
  if (key !== undefined) return readInbox(url, key, signal);
  const cached = await cachedToken(options, profile, tokenFile(profileName, io.env));
  if (cached !== undefined) {
    try {
      return await readInbox(url, cached, signal);
    } catch (error) {
      if (!(error instanceof UnexpectedStatus) || error.status !== 401) throw error;
    }
  }
  return readInbox(url, await accessToken(flags, io, cached), signal);
}

/** Rejects when the signal aborts. Does not stop the work that it waits for. */
function unlessAborted<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    waiting.then(resolve, reject);
  });
}

function inboxCommand({ profile, as, url }: Pick<HookFlags, "profile" | "as" | "url">): string {
  const named = { profile: profile === DEFAULT_PROFILE ? undefined : profile, as, url };
  const words = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellQuoted(value)],
  );
  return ["wireroom inbox", ...words].join(" ");
}

/** Adds the options of the Claude Code plugin, which the host passes as environment variables. */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { CLAUDE_PLUGIN_OPTION_PROFILE: profile, CLAUDE_PLUGIN_OPTION_HANDLE: handle } = env;
  return {
    ...env,
    ...(profile && { WIREROOM_PROFILE: profile }),
    ...(handle && { WIREROOM_HANDLE: handle }),
  };
}

async function cachedToken(
  options: EndpointOptions,
  profile: Profile,
  file: string,
): Promise<string | undefined> {
  const handle = activeHandle(options, profile);
  const idToken = options.env.WIREROOM_ID_TOKEN?.trim() || profile.signIn?.idToken;
  if (!idToken) throw noCredentials(options, profile);
  if (handle === undefined) return undefined;
  return readToken(file, { url: daemonUrl(options, profile), account: accountOf(idToken), handle });
}

/**
 * Returns a new access token for the signed-in human's handle. Slower than `cachedToken`, because it loads
 * more modules.
 * @param refused the stored token, if the daemon has rejected it
 */
async function accessToken(flags: HookFlags, io: ProcessIO, refused?: string): Promise<string> {
  const { Session } = await import("../../session.js");
  const session = new Session({ profile: flags.profile, as: flags.as, url: flags.url }, io);
  try {
    const credential = await session.agentCredential();
    return typeof credential === "string" ? credential : await credential(refused);
  } finally {
    await session.close();
  }
}
