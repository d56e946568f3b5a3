/** The human's handles. */
import type { Handle } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { handleFields } from "../../../output/show/handle.js";
import { described } from "../../../output/text.js";
import { relative } from "../../../output/units.js";
import { overridingVariable, setActiveHandle, setFirstHandle } from "../../../profiles/active-handle.js";
import { handleSlug } from "../../../profiles/endpoint.js";
import { field, fieldValue } from "../../kit/form.js";
import { span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { ActionContext, PaneDefinition } from "../pane-definition.js";
import { issueKey } from "./keys.js";

export const handlesPane: PaneDefinition<Handle> = {
  id: "handles",
  title: "Handles",
  idOf: ({ id }) => id,
  emptyText: "No handles yet: c creates one.",
  async load({ human, handles }, signal) {
    const { handles: list } = await human.handles.list({}, { signal });
    for (const { id, slug } of list) handles.set(id, slug);
    return list;
  },
  columns: (_sources, now) => [
    { title: "handle", cell: ({ slug }) => span(`@${slug}`, THEME.name) },
    { title: "name", cell: ({ display_name }) => span(display_name ?? "-"), flexible: true },
    {
      title: "open to",
      cell: ({ contact_policy }) => span(described(POLICIES, contact_policy)),
      dropRank: 1,
    },
    {
      title: "discoverable",
      cell: ({ discoverable }) => span(discoverable ? "yes" : "no"),
      dropRank: 2,
    },
    {
      title: "created",
      cell: ({ created_at }) => span(relative(created_at, now), THEME.faint),
      dropRank: 3,
    },
  ],
  card: ({ slug, display_name, contact_policy, discoverable }) => [
    [span(`@${slug}`, THEME.name), span(display_name ? `  ${display_name}` : "")],
    [
      span(
        `open to ${described(POLICIES, contact_policy)}, ${discoverable ? "discoverable" : "not discoverable"}`,
        THEME.faint,
      ),
    ],
  ],
  times: ({ created_at }) => [created_at],
  details: (handle, _sources, now, width) =>
    fieldLines(
      handleFields(handle, (time) => relative(time, now)),
      width,
    ),
  actions: [
    { key: "c", label: "create", help: "a handle", needsRow: false, run: create },
    { key: "i", label: "issue a key", help: "for this handle", needsRow: true, run: issueKey },
    {
      key: "u",
      label: "use",
      help: "act as this handle from now on",
      needsRow: true,
      run: use,
    },
  ],
};

const POLICIES = { open: "everyone", contacts_only: "contacts" } as const;

function create({ sources, shell, reload }: ActionContext): void {
  const fields = [
    field("slug", "Handle", { hint: "3 to 32 of a-z, 0-9 and -" }),
    field("name", "Display name", { hint: "may be left empty" }),
    field("bio", "Bio", { hint: "may be left empty" }),
  ];
  shell.openForm(
    { title: "New handle", fields, focus: 0, verb: "create" },
    {
      async submit(form) {
        const slug = handleSlug(fieldValue(form, "slug").trim());
        if (slug === "") throw new Failure("USAGE", "the handle is missing: write 3 to 32 of a-z, 0-9 and -");
        await sources.human.handles.create({
          slug,
          display_name: fieldValue(form, "name").trim() || null,
          bio: fieldValue(form, "bio").trim() || null,
        });
        await setFirstHandle(sources.session, slug);
        sources.resetAgent();
        shell.notify(`@${slug} is yours; i issues a key for it`, "good");
        reload("handles", "account", "spaces", "limits");
      },
    },
  );
}

function use({ sources, shell, reload }: ActionContext, { slug }: Handle): void {
  const { session } = sources;
  void shell.attempt(`switching to @${slug}`, async () => {
    await setActiveHandle(session, slug);
    sources.resetAgent();
    const variable = overridingVariable(session.env, slug);
    const overridden = variable ? `, but ${variable} is set and overrides the profile` : "";
    shell.notify(`@${slug} is the active handle now${overridden}`, "good");
    reload("account", "spaces", "limits");
  });
}
