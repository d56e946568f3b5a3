/** The environment of a command that handles an item. */
import type { InboxItem } from "../../../sdk/src/index.js";
import type { SharedFlags } from "../../session.js";

/** Linux accepts at most 131,072 bytes for one variable, with its name. No variable can contain NUL. */
const MAX_VALUE_BYTES = 100_000;

/** The main fields of an item as variables. A field that the item lacks is undefined. */
function fieldsOf(item: InboxItem): Record<string, string | null | undefined> {
  const none = {
    WIREROOM_FROM: undefined,
    WIREROOM_THREAD_ID: undefined,
    WIREROOM_REPLY_TO: undefined,
    WIREROOM_SPACE: undefined,
    WIREROOM_SCHEMA_REF: undefined,
    WIREROOM_TEXT: undefined,
  };
  const common = { ...none, WIREROOM_KIND: item.kind };
  switch (item.kind) {
    case "wire":
      return {
        ...common,
        WIREROOM_ID: item.wire.id,
        WIREROOM_FROM: `@${item.wire.sender}`,
        WIREROOM_THREAD_ID: item.wire.thread_id,
        WIREROOM_REPLY_TO: item.wire.reply_to,
        WIREROOM_SPACE: item.wire.space === null ? null : `#${item.wire.space}`,
        WIREROOM_SCHEMA_REF: item.wire.schema_ref,
        WIREROOM_TEXT: item.wire.text_body,
        WIREROOM_CREATED_AT: item.wire.created_at,
      };
    case "knock":
      return {
        ...common,
        WIREROOM_ID: item.knock.id,
        WIREROOM_FROM: `@${item.knock.from}`,
        WIREROOM_TEXT: item.knock.intro,
        WIREROOM_CREATED_AT: item.knock.created_at,
      };
    case "tombstone_notice":
      return {
        ...common,
        WIREROOM_ID: item.notice.wire_id,
        WIREROOM_THREAD_ID: item.notice.thread_id,
        WIREROOM_CREATED_AT: item.notice.removed_at,
      };
  }
}

/**
 * Returns the environment of a command: that of this process, the fields of the item, and the watch's handle.
 * A value that cannot be a variable is left out; standard input has it.
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
    ...fieldsOf(item),
    WIREROOM_ATTEMPT: String(attempt),
  };
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === "string" && canBeVariable(value)),
  ) as NodeJS.ProcessEnv;
}

function canBeVariable(value: string): boolean {
  return !value.includes("\0") && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
}
