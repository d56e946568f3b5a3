/** Runs the command that handles an item, with the item on standard input and in variables. */
import type { InboxItem, Wireroom } from "../../../sdk/src/api.js";
import { jsonText } from "../../output/safe.js";
import { inboxItemJson, itemFacts } from "../../output/show/inbox.js";
import type { Session } from "../../session.js";
import type { RetryOptions } from "../until-signal.js";
import { type CommandLine, type CommandOutput, type CommandRun, runCommand } from "./command.js";

export interface ItemCommand {
  command: CommandLine;
  /** Seconds. Undefined: no limit. */
  timeout?: number | undefined;
  /** Sends standard output as a reply. */
  reply?: boolean;
}

export function runForItem(
  session: Session,
  { command, timeout, reply = false }: ItemCommand,
  item: InboxItem,
  run: Pick<CommandRun, "signal" | "onStart"> & { attempt: number; slug: string },
): Promise<CommandOutput> {
  return runCommand(command, {
    env: commandEnvironment(session, item, run),
    input: `${jsonText(inboxItemJson(item))}\n`,
    collects: reply,
    output: session.output.json ? 2 : 1,
    timeoutMs: timeout && timeout * 1_000,
    signal: run.signal,
    onStart: run.onStart,
  });
}

/** Returns a program's client. Looks up the space first, so that no key is issued if its name is misspelt. */
export async function programFor(
  session: Session,
  space: string | undefined,
  retry: RetryOptions,
): Promise<Wireroom> {
  if (space !== undefined) await (await session.agent()).spaces.get({ slug: space }, retry);
  return session.program();
}

/** Maximum bytes of a variable's value. Linux allows 131,072 bytes for name and value together. */
const MAX_VALUE_BYTES = 100_000;

function variablesOf(item: InboxItem): Record<string, string | null> {
  const facts = itemFacts(item);
  return {
    WIREROOM_KIND: facts.kind,
    WIREROOM_ID: facts.id,
    WIREROOM_FROM: facts.from,
    WIREROOM_THREAD_ID: facts.thread_id,
    WIREROOM_REPLY_TO: facts.reply_to,
    WIREROOM_SPACE: facts.space,
    WIREROOM_SCHEMA_REF: facts.schema_ref,
    WIREROOM_TEXT: facts.text,
    WIREROOM_CREATED_AT: facts.at,
  };
}

/**
 * Returns a command's environment: this process's variables, the item's fields, and the watch's handle. Omits
 * values that cannot be variables. The command also gets all fields on standard input.
 */
function commandEnvironment(
  { env, flags: { profile, as, url } }: Session,
  item: InboxItem,
  { attempt, slug }: { attempt: number; slug: string },
): NodeJS.ProcessEnv {
  const hasOwnKey = as === undefined && Boolean(env.WIREROOM_API_KEY);
  const values = {
    ...env,
    ...(profile !== undefined && { WIREROOM_PROFILE: profile }),
    ...(!hasOwnKey && { WIREROOM_HANDLE: slug, WIREROOM_API_KEY: undefined }),
    ...(url !== undefined && { WIREROOM_URL: url }),
    ...variablesOf(item),
    WIREROOM_ATTEMPT: String(attempt),
  };
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === "string" && canBeVariable(value)),
  ) as NodeJS.ProcessEnv;
}

function canBeVariable(value: string): boolean {
  return !value.includes("\0") && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
}
