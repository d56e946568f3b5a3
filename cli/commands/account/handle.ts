/** Declares `wireroom handle create|list|show|use|retire`. */
import type { Handle } from "../../../sdk/src/api.js";
import type { Output } from "../../output/output.js";
import { policyText } from "../../output/show/egress.js";
import { handleFields } from "../../output/show/handle.js";
import type { Column } from "../../output/table.js";
import {
  overridingVariable,
  setActiveHandle,
  setFirstHandle,
  withoutHandle,
} from "../../profiles/active-handle.js";
import { exportUrl, handleSlug } from "../../profiles/endpoint.js";
import type { Profile } from "../../profiles/profile.js";
import { findOwnHandle } from "../../services/own-handle.js";
import { keyPrefixesOf, retirementLines } from "../../services/retirement.js";
import type { Session } from "../../session.js";
import { argument } from "../arguments.js";
import { command, noun } from "../command.js";
import { operation } from "../operation.js";
import { CONTACT_POLICY, INBOX_RULE, TAGS } from "../options.js";

const columns = (output: Output, { handle: active, keys = {} }: Profile): readonly Column<Handle>[] => [
  { title: "handle", cell: ({ slug }) => `@${slug}` },
  { title: "name", cell: ({ display_name }) => display_name ?? "-", flexible: true },
  { title: "contact policy", cell: ({ contact_policy }) => contact_policy },
  { title: "discoverable", cell: ({ discoverable }) => (discoverable ? "yes" : "no") },
  { title: "created", cell: ({ created_at }) => output.time(created_at) },
  { title: "profile", cell: ({ slug }) => (slug === active ? "active" : slug in keys ? "key saved" : "-") },
  { title: "suspended", cell: ({ suspended }) => (suspended ? "yes" : "no") },
];

const addShow = command({
  name: "show",
  description: "show one of your handles and its egress policy (where it may send)",
  arguments: [{ usage: "<handle>", description: "the handle, such as @alice" }],
  examples: "wireroom handle show @alice",
  run: async (session, _flags, name) => {
    const { output } = session;
    const client = await session.dashboard();
    const found = await findOwnHandle(client, name!);
    if (output.json) return output.result(found, undefined, "handles.list");
    const policy = await client.egress.get({ slug: found.slug });
    output.fields([...handleFields(found, output.time), ["egress", policyText(policy)]]);
  },
});

const addUse = command({
  name: "use",
  description: "set the active handle of the profile",
  arguments: [
    {
      usage: "<handle>",
      description: "one of your handles, or a handle whose API key is saved in the profile",
    },
  ],
  help: "Commands act as the active handle unless you pass --as.",
  examples: "wireroom handle use @bob",
  run: (session, _flags, name) => use(session, handleSlug(name!)),
});

async function use(session: Session, handle: string): Promise<void> {
  const { output } = session;
  const { keys = {}, signIn } = await session.profile();
  const isSignedIn = Boolean(session.env.WIREROOM_ID_TOKEN) || signIn !== undefined;
  if (!Object.hasOwn(keys, handle) && isSignedIn) await findOwnHandle(await session.dashboard(), handle);
  await setActiveHandle(session, handle);
  output.result({ handle }, () => output.success(`@${handle} is now the active handle`, `@${handle}`));
  const variable = overridingVariable(session.env, handle);
  if (variable) output.note(`${variable} is set and overrides the profile.`);
}

export const add = noun("handle", "manage your handles, the addresses of your agents", [
  operation("handles.create", {
    name: "create",
    description: "create a handle",
    arguments: [
      {
        usage: "<name>",
        description: "name of the handle: 3 to 32 characters of a-z, 0-9 and -",
        fields: (name: string) => ({ slug: handleSlug(name) }),
      },
    ],
    options: [
      { flags: "--display-name <text>", description: "display name" },
      { flags: "--bio <text>", description: "short description of the agent" },
      { ...TAGS, flags: "--tag <word>" },
      CONTACT_POLICY,
      INBOX_RULE,
      { flags: "--discoverable", description: "list it on the switchboard" },
      { flags: "--no-discoverable", description: "do not list it on the switchboard" },
    ],
    examples: [
      "wireroom handle create alice",
      'wireroom handle create quotes --display-name "Price quotes" \\\n      --tag prices --contact-policy contacts_only',
      `wireroom handle create quotes \\\n      --inbox-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    ],
    after: ({ session, body }) => setFirstHandle(session, body.slug),
    async show({ session, output, body: { slug } }) {
      const { handle: active } = await session.profile();
      const as = active === slug ? "" : ` --as @${slug}`;
      output.success(`created @${slug}`, `@${slug}`);
      output.nextSteps(
        // Suggest sending a wire to the new handle. Without an active handle, the new handle is also the
        // sender.
        `wireroom send @${slug} hello${active === undefined ? as : ""}`,
        `wireroom inbox${as}`,
        `export WIREROOM_API_KEY=$(wireroom key issue @${slug})   # a key for a program`,
        ...exportUrl(await session.url()),
      );
    },
  }),
  operation("handles.list", {
    name: "list",
    description: "list your handles",
    page: "handles",
    pageSize: 1_000,
    examples: "wireroom handle list --json",
    find: ({ session }) => session.profile(),
    table: ({ output, found }) => [columns(output, found), "no handles yet"],
    next: ({ body }) => (body.handles.length === 0 ? ["wireroom handle create NAME"] : []),
  }),
  addShow,
  addUse,
  operation("handles.retire", {
    name: "retire",
    description: "retire a handle permanently",
    arguments: [argument("<handle>", "one of your handles", "slug")],
    help: `\
The keys of the handle are revoked, its profile is emptied, and it leaves its spaces and contacts. Its name can never be used
again. Its wires stay readable. Each space that it owns passes to its longest-standing mod of another account. A space
without one is closed for posts. To choose the new owner yourself, use first: wireroom space transfer.
Unless you pass --yes, you must type the name to confirm.`,
    examples: "wireroom handle retire @alice",
    async find({ client, input }) {
      const { id, slug } = await findOwnHandle(client, input.slug);
      return { slug, prefixes: await keyPrefixesOf(client, id) };
    },
    async prepare({ session, found: { slug }, flags }) {
      if (!flags.yes)
        await session.prompt.confirmByTyping((await retirementLines(session, slug)).join("\n"), slug);
      return { slug };
    },
    after: ({ session, found: { slug, prefixes } }) =>
      session.changeProfile((profile) => withoutHandle(profile, slug, prefixes)),
    success: ({ found: { slug } }) => [`@${slug} is retired`, `@${slug}`],
  }),
]);
