/** The human's handles. */
import type { Handle } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { handleFields } from "../../output/show/handle.js";
import { described } from "../../output/text.js";
import {
  overridingVariable,
  setActiveHandle,
  setFirstHandle,
  withoutHandle,
} from "../../profiles/active-handle.js";
import { handleSlug } from "../../profiles/endpoint.js";
import { keyPrefixesOf, retirementLines } from "../../services/retirement.js";
import { field } from "../frame/form.js";
import { ageOf, type Noun, timeColumn } from "../list-detail/noun.js";
import { THEME } from "../styled-text/spans.js";
import { issueKey, issueKeyForm } from "./keys.js";
import type { Sources } from "./sources.js";

const POLICIES = { open: "everyone", contacts_only: "contacts" } as const;

export const handlesNoun = (sources: Sources): Noun<Handle> => ({
  id: "handles",
  title: "Handles",
  emptyText: "No handles yet: c creates one.",
  idOf: ({ id }) => id,
  async load(signal) {
    const { handles } = await sources.human.handles.list({}, { signal });
    for (const { id, slug } of handles) sources.handles.set(id, slug);
    return handles;
  },
  columns: [
    { title: "handle", text: ({ slug }) => `@${slug}`, style: THEME.name },
    { title: "name", text: ({ display_name }) => display_name ?? "-", flexible: true },
    { title: "open to", text: ({ contact_policy }) => described(POLICIES, contact_policy), rank: 1 },
    { title: "discoverable", text: ({ discoverable }) => (discoverable ? "yes" : "no"), rank: 2 },
    timeColumn("created", ({ created_at }) => created_at, 3),
  ],
  fields: (handle, now) => handleFields(handle, (time) => ageOf(time, now)),
  actions: [
    {
      key: "c",
      label: "create",
      help: "a handle",
      needsRow: false,
      form: () => ({
        title: "New handle",
        verb: "create",
        fields: [
          field("slug", "Handle", { hint: "3 to 32 of a-z, 0-9 and -" }),
          field("name", "Display name", { hint: "may be left empty" }),
          field("bio", "Bio", { hint: "may be left empty" }),
        ],
      }),
      async run(_handle, view, values) {
        const slug = handleSlug(values.slug!.trim());
        if (slug === "") throw new Failure("USAGE", "the handle is missing: write 3 to 32 of a-z, 0-9 and -");
        const { id } = await sources.human.handles.create({
          slug,
          display_name: values.name!.trim() || null,
          bio: values.bio!.trim() || null,
        });
        view.select(id);
        await setFirstHandle(sources.session, slug);
        return `@${slug} is yours; i issues a key for it`;
      },
    },
    {
      key: "i",
      label: "issue a key",
      help: "for this handle",
      form: ({ slug }) => issueKeyForm(slug),
      async run(_handle, view, values) {
        await issueKey(sources, view, values);
        return undefined;
      },
    },
    {
      key: "u",
      label: "use",
      help: "act as this handle from now on",
      busy: "switching",
      async run({ slug }) {
        const { session } = sources;
        await setActiveHandle(session, slug);
        const variable = overridingVariable(session.env, slug);
        const overridden = variable ? `, but ${variable} is set and overrides the profile` : "";
        return `@${slug} is the active handle now${overridden}`;
      },
    },
    {
      key: "r",
      label: "retire",
      help: "this handle, permanently",
      question: async ({ slug }) => ({
        title: `Retire @${slug}?`,
        lines: await retirementLines(sources.session, slug),
        yes: "retire",
      }),
      form: ({ slug }) => ({
        title: `Retire @${slug}`,
        verb: "retire",
        fields: [field("slug", `Type @${slug}`)],
      }),
      async run({ id, slug }, _view, values) {
        if (handleSlug(values.slug!.trim()) !== slug)
          throw new Failure("USAGE", `type @${slug} to retire it`);
        const { human, session } = sources;
        const prefixes = await keyPrefixesOf(human, id);
        await human.handles.retire({ slug });
        await session.changeProfile((profile) => withoutHandle(profile, slug, prefixes));
        return `@${slug} is retired`;
      },
      movesOn: true,
    },
  ],
});
