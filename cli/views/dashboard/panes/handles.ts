/** The human's handles. */
import type { Handle } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { handleFields } from "../../../output/show/handle.js";
import { relative } from "../../../output/units.js";
import { actAs } from "../../../profiles/acting.js";
import { bare } from "../../../profiles/endpoint.js";
import { field, fieldValue } from "../../kit/form.js";
import { span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import { fieldLines } from "../fields.js";
import type { Desk, Pane } from "../pane.js";
import { issueKey } from "./keys.js";

export const handlesPane: Pane<Handle> = {
  id: "handles",
  title: "Handles",
  idOf: ({ id }) => id,
  none: "No handles yet: c creates one.",
  async load({ human, handles }, signal) {
    const { handles: list } = await human.handles.list({ signal });
    for (const { id, slug } of list) handles.set(id, slug);
    return list;
  },
  columns: (_sources, now) => [
    { title: "handle", cell: ({ slug }) => span(`@${slug}`, THEME.name) },
    { title: "name", cell: ({ display_name }) => span(display_name ?? "-"), flexible: true },
    { title: "written to by", cell: ({ contact_policy }) => span(POLICIES[contact_policy]) },
    { title: "found", cell: ({ discoverable }) => span(discoverable ? "yes" : "no") },
    { title: "created", cell: ({ created_at }) => span(relative(created_at, now), THEME.faint) },
  ],
  detail: (handle, _sources, now, width) =>
    fieldLines(
      handleFields(handle, (time) => relative(time, now)),
      width,
    ),
  actions: [
    { key: "c", does: "create", more: "a handle", run: (desk) => create(desk) },
    { key: "i", does: "issue a key", more: "for this handle", needsRow: true, run: issueKey },
    {
      key: "u",
      does: "use",
      more: "act as this handle from now on, with the key that the profile keeps",
      needsRow: true,
      run: (desk, { slug }) => use(desk, slug),
    },
  ],
};

const POLICIES = { open: "everyone", contacts_only: "contacts" } as const;

function create(desk: Desk): void {
  const fields = [
    field("slug", "Handle", { hint: "3 to 32 of a-z, 0-9 and -" }),
    field("name", "Display name", { hint: "may be left empty" }),
    field("bio", "Bio", { hint: "may be left empty" }),
  ];
  desk.fill({ title: "New handle", fields, focus: 0 }, async (form) => {
    const slug = bare(fieldValue(form, "slug").trim());
    if (slug === "") throw new Failure("USAGE", "a handle needs a name of 3 to 32 of a-z, 0-9 and -");
    await desk.sources.human.handles.create({
      slug,
      display_name: fieldValue(form, "name").trim() || null,
      bio: fieldValue(form, "bio").trim() || null,
    });
    desk.say(`@${slug} is yours; i issues a key for it`, "good");
    desk.reload("handles");
  });
}

function use(desk: Desk, slug: string): void {
  const { session } = desk.sources;
  desk.attempt(`@${slug} takes over`, async () => {
    await actAs(session, slug);
    desk.sources.changeAgent();
    const wins = session.env.WIREROOM_API_KEY ? "; but WIREROOM_API_KEY is set, and wins" : "";
    desk.say(`@${slug} acts now${wins}`, "good");
    desk.reload("account", "spaces", "limits");
  });
}
