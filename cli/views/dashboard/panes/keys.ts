/** API keys of the human's handles: the human issues, saves and revokes them here. */
import type { Handle, KeysListOutput } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { parseFutureTime } from "../../../input/values.js";
import { oneLine } from "../../../output/safe.js";
import { type KeyState, keyState } from "../../../output/show/key.js";
import { relative } from "../../../output/units.js";
import { handleSlug } from "../../../profiles/endpoint.js";
import { removeSavedKey, saveKey } from "../../../profiles/saved-keys.js";
import { type Form, field, fieldValue } from "../../kit/form.js";
import { type Style, span } from "../../kit/text/spans.js";
import { textOf } from "../../kit/text/text-buffer.js";
import { THEME } from "../../kit/text/theme.js";
import type { ActionContext, PaneDefinition, Sources } from "../pane-definition.js";

type ApiKey = KeysListOutput["keys"][number];

const STATES: Readonly<Record<KeyState, Style>> = {
  valid: THEME.good,
  expired: THEME.warning,
  revoked: THEME.faint,
};

export const keysPane: PaneDefinition<ApiKey> = {
  id: "keys",
  title: "Keys",
  idOf: ({ id }) => id,
  emptyText: "No keys yet: i issues one.",
  load: async ({ human }, signal) => (await human.keys.list({}, { signal })).keys,
  columns: (sources, now) => [
    { title: "key", cell: prefixOf },
    { title: "handle", cell: (key) => handleOf(key, sources), flexible: true },
    { title: "state", cell: stateOf },
    {
      title: "issued",
      cell: ({ created_at }) => span(relative(created_at, now), THEME.faint),
      dropRank: 3,
    },
    {
      title: "used",
      cell: ({ last_used_at }) => span(timeOr(last_used_at, now, "never"), THEME.faint),
      dropRank: 1,
    },
    {
      title: "ends",
      cell: ({ expires_at }) => span(timeOr(expires_at, now, "-"), THEME.faint),
      dropRank: 2,
    },
  ],
  card: (key, sources, now) => [
    [prefixOf(key), span("  "), handleOf(key, sources)],
    [
      stateOf(key),
      span(`, used ${timeOr(key.last_used_at, now, "never")}`, THEME.faint),
      span(key.expires_at === null ? "" : `, ends ${relative(key.expires_at, now)}`, THEME.faint),
    ],
  ],
  times: ({ created_at, last_used_at, expires_at }) => [created_at, last_used_at, expires_at],
  actions: [
    {
      key: "i",
      label: "issue",
      help: "a key; it is shown once",
      needsRow: false,
      run: (context, key?: ApiKey) => issueKey(context, { slug: slugFor(key, context.sources) }),
    },
    {
      key: "x",
      label: "revoke",
      help: "requests with the key fail at once",
      needsRow: true,
      refusal: ({ revoked_at }) => (revoked_at === null ? undefined : "This key is revoked already."),
      run: askToRevoke,
    },
  ],
};

function prefixOf(key: ApiKey) {
  return span(`${key.prefix}…`, faintUnlessValid(key, {}));
}

function handleOf(key: ApiKey, sources: Sources) {
  return span(handleName(key, sources), faintUnlessValid(key, THEME.name));
}

function stateOf(key: ApiKey) {
  return span(keyState(key), STATES[keyState(key)]);
}

function handleName({ handle_id }: ApiKey, { handles }: Sources): string {
  const slug = handles.get(handle_id);
  return slug === undefined ? handle_id : `@${slug}`;
}

function faintUnlessValid(key: ApiKey, style: Style): Style {
  return keyState(key) === "valid" ? style : THEME.faint;
}

function timeOr(time: string | null, now: number, absent: string): string {
  return time === null ? absent : relative(time, now);
}

/**
 * Returns the slug of the key's handle. Without a key, returns the slug of the first handle, or an empty
 * string.
 */
function slugFor(key: ApiKey | undefined, { handles }: Sources): string {
  const [first = ""] = handles.values();
  return handles.get(key?.handle_id ?? "") ?? first;
}

/** Opens the form that issues a key for a handle. */
export function issueKey(context: ActionContext, { slug }: Pick<Handle, "slug">): void {
  const fields = [
    field("handle", "Handle", { text: textOf(`@${slug}`) }),
    field("expires", "Expires", { hint: "12h, 30d, a date; empty: never" }),
  ];
  context.shell.openForm(
    { title: "Issue a key", fields, focus: slug === "" ? 0 : 1, verb: "issue" },
    { submit: (form) => submitKey(context, form) },
  );
}

async function submitKey({ sources, reload, showSecret }: ActionContext, form: Form): Promise<void> {
  const { human, session } = sources;
  const name = handleSlug(fieldValue(form, "handle").trim());
  const [id] = [...sources.handles].find(([, slug]) => slug === name) ?? [];
  if (id === undefined) throw new Failure("NOT_FOUND", `you have no handle @${oneLine(name)}`);
  const expires = fieldValue(form, "expires").trim();
  const issued = await human.keys.issue({
    handle_id: id,
    expires_at: expires === "" ? undefined : parsedTime(expires),
  });
  reload("keys");
  showSecret({
    title: `Key of @${name}`,
    value: issued.key,
    lines: ["It is shown this once: the service keeps no copy of it."],
    async save() {
      await saveKey(session, name, issued.key);
      sources.resetAgent();
      reload("account", "spaces", "limits");
      return `kept in the profile ${session.profileName}`;
    },
  });
}

function parsedTime(text: string): string {
  try {
    return parseFutureTime(text);
  } catch (error) {
    throw new Failure("USAGE", (error as Error).message);
  }
}

function askToRevoke({ sources, shell, reload }: ActionContext, key: ApiKey): void {
  const { human, session } = sources;
  const name = handleName(key, sources);
  shell.ask({
    title: "Revoke this key?",
    lines: [
      `${key.prefix}… of ${name}`,
      "",
      "Requests with this key fail at once. It cannot be made valid again.",
    ],
    yes: "revoke",
    run: () =>
      void shell.attempt("revoking", async () => {
        await human.keys.revoke({ id: key.id });
        await removeSavedKey(session, key.prefix);
        sources.resetAgent();
        shell.notify(`${key.prefix}… of ${name} is revoked`, "good");
        reload("keys", "account", "spaces", "limits");
      }),
  });
}
