/** API keys of the human's handles: issued, kept, revoked. */
import type { Handle, KeysListOutput } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { momentToCome } from "../../../input/values.js";
import { oneLine } from "../../../output/safe.js";
import { relative } from "../../../output/units.js";
import { bare } from "../../../profiles/endpoint.js";
import { forgetKey, keepKey, keyState } from "../../../work/account/keys.js";
import { field, fieldValue } from "../../kit/form.js";
import { type Style, span } from "../../kit/spans.js";
import { textOf } from "../../kit/text-buffer.js";
import { THEME } from "../../kit/theme.js";
import type { Desk, Pane, Sources } from "../pane.js";

type Key = KeysListOutput["keys"][number];

const STATES: Readonly<Record<string, Style>> = {
  valid: THEME.good,
  ended: THEME.warning,
  revoked: THEME.faint,
};

export const keysPane: Pane<Key> = {
  id: "keys",
  title: "Keys",
  idOf: ({ id }) => id,
  none: "No keys yet: i issues one.",
  load: async ({ human }, signal) => (await human.keys.list({ signal })).keys,
  columns: (sources, now) => [
    { title: "key", cell: (key) => span(`${key.prefix}…`, faintUnless(key, {})) },
    {
      title: "handle",
      cell: (key) => span(nameOf(key, sources), faintUnless(key, THEME.name)),
      flexible: true,
    },
    { title: "state", cell: (key) => span(keyState(key), STATES[keyState(key)]) },
    { title: "issued", cell: ({ created_at }) => span(relative(created_at, now), THEME.faint) },
    { title: "used", cell: ({ last_used_at }) => span(timeOr(last_used_at, now, "never"), THEME.faint) },
    { title: "ends", cell: ({ expires_at }) => span(timeOr(expires_at, now, "-"), THEME.faint) },
  ],
  actions: [
    { key: "i", does: "issue", more: "a key; it is shown once", run: (desk, key?: Key) => issue(desk, key) },
    {
      key: "x",
      does: "revoke",
      more: "whatever acts with it stops at once",
      needsRow: true,
      run: askToRevoke,
    },
  ],
};

function nameOf({ handle_id }: Key, { handles }: Sources): string {
  const slug = handles.get(handle_id);
  return slug === undefined ? handle_id : `@${slug}`;
}

function faintUnless(key: Key, style: Style): Style {
  return keyState(key) === "valid" ? style : THEME.faint;
}

function timeOr(time: string | null, now: number, none: string): string {
  return time === null ? none : relative(time, now);
}

/** Issues a key for a handle. */
export function issueKey(desk: Desk, { slug }: Pick<Handle, "slug">): void {
  const fields = [
    field("handle", "Handle", { text: textOf(`@${slug}`) }),
    field("ends", "Ends by itself", { hint: "12h, 30d, 1y, a date; empty: never" }),
  ];
  desk.fill({ title: "Issue a key", fields, focus: slug === "" ? 0 : 1 }, async (form) => {
    const name = bare(fieldValue(form, "handle").trim());
    const [id] = [...desk.sources.handles].find(([, each]) => each === name) ?? [];
    if (id === undefined) throw new Failure("NOT_FOUND", `you have no handle @${oneLine(name)}`);
    const ends = fieldValue(form, "ends").trim();
    const { human } = desk.sources;
    const expires_at = ends === "" ? undefined : momentOf(ends);
    const issued = await human.keys.issue({ handle_id: id, expires_at });
    desk.reload("keys");
    desk.reveal({
      title: `A key of @${name}`,
      value: issued.key,
      lines: ["It is shown this once: the service keeps no copy of it."],
      async keep() {
        await keepKey(desk.sources.session, human, name, issued);
        desk.sources.changeAgent();
        desk.reload("account", "spaces", "limits");
        return `kept in the profile ${desk.sources.session.profileName}`;
      },
    });
  });
}

function momentOf(text: string): string {
  try {
    return momentToCome(text);
  } catch (error) {
    throw new Failure("USAGE", (error as Error).message);
  }
}

function issue(desk: Desk, key: Key | undefined): void {
  const slugs = [...desk.sources.handles];
  const [, slug = ""] = slugs.find(([id]) => id === key?.handle_id) ?? slugs[0] ?? [];
  issueKey(desk, { slug });
}

function askToRevoke(desk: Desk, key: Key): void {
  const name = nameOf(key, desk.sources);
  if (key.revoked_at !== null) desk.say("This key is revoked already.");
  else
    desk.ask({
      title: "Revoke this key?",
      lines: [
        `${key.prefix}… of ${name}`,
        "",
        "Whatever acts with it stops at once, and it cannot be brought back.",
      ],
      yes: "revoke",
      run: () =>
        desk.attempt("revoking", async () => {
          await desk.sources.human.keys.revoke({ id: key.id });
          await forgetKey(desk.sources.session, key.prefix);
          desk.sources.changeAgent();
          desk.say(`${key.prefix}… of ${name} is revoked`, "good");
          desk.reload("keys", "account", "spaces", "limits");
        }),
    });
}
