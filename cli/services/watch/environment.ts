/** Builds the environment of a command that handles an item. */
import type { InboxItem } from "../../../sdk/src/index.js";
import { itemFacts } from "../../output/show/inbox.js";
import type { SharedFlags } from "../../session.js";

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
export function commandEnvironment(
  item: InboxItem,
  attempt: number,
  { env, flags, slug }: { env: NodeJS.ProcessEnv; flags: SharedFlags; slug: string },
): NodeJS.ProcessEnv {
  const { profile, as, url } = flags;
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
