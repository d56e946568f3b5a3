/** API keys of the human's handles. */
import type { KeysListOutput } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { parseFutureTime } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { type KeyState, keyState } from "../../output/show/key.js";
import { handleSlug } from "../../profiles/endpoint.js";
import { removeSavedKey, saveKey } from "../../profiles/saved-keys.js";
import type { Session } from "../../session.js";
import { type Form, field } from "../frame/form.js";
import { textOf } from "../frame/text-buffer.js";
import { type Noun, timeColumn, type View } from "../list-detail/noun.js";
import { paragraphs, type Style, THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

type ApiKey = KeysListOutput["keys"][number];

const STATES: Readonly<Record<KeyState, Style>> = {
  valid: THEME.good,
  expired: THEME.warning,
  revoked: THEME.faint,
};

export const keysNoun = (sources: Sources): Noun<ApiKey> => ({
  id: "keys",
  title: "Keys",
  emptyText: "No keys yet: i issues one.",
  idOf: ({ id }) => id,
  load: async (signal) => (await sources.human.keys.list({}, { signal })).keys,
  columns: [
    { title: "key", text: ({ prefix }) => `${prefix}…`, style: (key) => faintUnlessValid(key, {}) },
    {
      title: "handle",
      text: (key) => nameOf(key, sources),
      style: (key) => faintUnlessValid(key, THEME.name),
      flexible: true,
    },
    { title: "state", text: keyState, style: (key) => STATES[keyState(key)] },
    timeColumn("issued", ({ created_at }) => created_at, 3),
    timeColumn("used", ({ last_used_at }) => last_used_at, 1, "never"),
    timeColumn("ends", ({ expires_at }) => expires_at, 2),
    { title: "name", text: ({ name }) => name ?? "-", style: THEME.faint, flexible: true, rank: 4 },
  ],
  actions: [
    {
      key: "i",
      label: "issue",
      help: "a key; it is shown once",
      needsRow: false,
      form: (key: ApiKey | undefined) => {
        const [first = ""] = sources.handles.values();
        return issueKeyForm(sources.handles.get(key?.handle_id ?? "") ?? first);
      },
      async run(_key, view, values) {
        view.select(await issueKey(sources, view, values));
        return undefined;
      },
    },
    {
      key: "r",
      label: "revoke",
      help: "requests with the key fail at once",
      refusal: ({ revoked_at }) => (revoked_at === null ? undefined : "This key is revoked already."),
      question: (key) => ({
        title: "Revoke this key?",
        lines: [
          `${key.prefix}… of ${nameOf(key, sources)}`,
          "",
          "Requests with this key fail at once. It cannot be made valid again.",
        ],
        yes: "revoke",
      }),
      busy: "revoking",
      async run(key) {
        await sources.human.keys.revoke({ id: key.id });
        await removeSavedKey(sources.session, key.prefix);
        return `${key.prefix}… of ${nameOf(key, sources)} is revoked`;
      },
    },
  ],
});

function nameOf({ handle_id }: ApiKey, { handles }: Sources): string {
  const slug = handles.get(handle_id);
  return slug === undefined ? handle_id : `@${slug}`;
}

function faintUnlessValid(key: ApiKey, style: Style): Style {
  return keyState(key) === "valid" ? style : THEME.faint;
}

export function issueKeyForm(slug: string): Form {
  const fields = [
    field("handle", "Handle", { text: textOf(`@${slug}`) }),
    field("expires", "Expires", { hint: "12h, 30d, a date; empty: never" }),
    field("name", "Name", { hint: "by which you recognise the key" }),
  ];
  return { title: "Issue a key", verb: "issue", fields, focus: slug === "" ? 0 : 1 };
}

/** Issues a key, and shows it in a dialog. Returns its id. */
export async function issueKey(
  { human, session, handles }: Sources,
  view: View,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const name = handleSlug(values.handle!.trim());
  const [id] = [...handles].find(([, slug]) => slug === name) ?? [];
  if (id === undefined) throw new Failure("NOT_FOUND", `you have no handle @${oneLine(name)}`);
  const expires = values.expires!.trim();
  const keyName = values.name!.trim();
  const { id: keyId, key } = await human.keys.issue({
    handle_id: id,
    name: keyName === "" ? undefined : keyName,
    expires_at: expires === "" ? undefined : parsedTime(expires),
  });
  showKey(session, view, name, key);
  return keyId;
}

function parsedTime(text: string): string {
  try {
    return parseFutureTime(text);
  } catch (error) {
    throw new Failure("USAGE", (error as Error).message);
  }
}

/** Shows a new key, which the service returns only once. */
function showKey(session: Session, view: View, slug: string, key: string): void {
  const { shell } = view;
  const { profileName } = session;
  const save = () =>
    shell.attempt("saving", async () => {
      await saveKey(session, slug, key);
      void view.reload();
      shell.notify(`kept in the profile ${profileName}`, "good");
    });
  shell.open({
    title: `Key of @${slug}`,
    // The key is on separate lines, so that the user can select it with the mouse.
    lines: (width) => [
      ...paragraphs(["It is shown this once: the service keeps no copy of it."], width),
      [],
      ...paragraphs([key], width, THEME.fresh),
      [],
      ...paragraphs([shell.state.status?.text ?? "Select it with the mouse to copy it, or save it."], width),
    ],
    bindings: [
      { keys: ["s"], label: `save to profile ${profileName}`, run: () => void save() },
      { keys: ["escape", "q"], label: "close", run: () => shell.closeOverlay() },
    ],
  });
}
