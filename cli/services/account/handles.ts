/** Implements `wireroom handle …`. */
import type { ContactPolicy, Handle, PostingRuleInput, WireroomDashboard } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { readPages } from "../../input/pages.js";
import { readJson } from "../../input/values.js";
import { policyText } from "../../output/show/egress.js";
import { handleFields } from "../../output/show/handle.js";
import {
  overridingVariable,
  setActiveHandle,
  setFirstHandle,
  withoutHandle,
} from "../../profiles/active-handle.js";
import { handleSlug } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";

export interface NewHandleFlags {
  displayName?: string | undefined;
  bio?: string | undefined;
  tag?: string[] | undefined;
  contactPolicy?: ContactPolicy | undefined;
  inboxRule?: string | undefined;
  discoverable?: boolean | undefined;
}

export async function createHandle(session: Session, flags: NewHandleFlags, name: string): Promise<void> {
  const { output, io } = session;
  const { inboxRule } = flags;
  const rule = inboxRule === undefined ? undefined : await readJson(inboxRule, "--inbox-rule", io.stdin);
  const client = await session.dashboard();
  const handle = await client.handles.create({
    slug: handleSlug(name),
    display_name: flags.displayName,
    bio: flags.bio,
    tags: flags.tag,
    contact_policy: flags.contactPolicy,
    inbox_rule: rule as PostingRuleInput | undefined,
    discoverable: flags.discoverable,
  });
  await setFirstHandle(session, handle.slug);
  const { handle: active } = await session.profile();
  const as = active === handle.slug ? "" : ` --as @${handle.slug}`;
  output.result(handle, () => output.success(`created @${handle.slug}`, `@${handle.slug}`));
  output.nextSteps(
    // The first handle sends its first wire to itself. A later one gets it from the active handle.
    `wireroom send @${handle.slug} hello${active === undefined ? as : ""}`,
    `wireroom inbox${as}`,
    `export WIREROOM_API_KEY=$(wireroom key issue @${handle.slug})   # a key for a program`,
  );
}

export async function listHandles(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const body = await readPages({ all: true, limit: 1_000 }, "handles", (page) => client.handles.list(page));
  const { handle: active, keys = {} } = await session.profile();
  output.result(body, () =>
    output.table<Handle>(
      [
        { title: "handle", cell: ({ slug }) => `@${slug}` },
        { title: "name", cell: ({ display_name }) => display_name ?? "-", flexible: true },
        { title: "contact policy", cell: ({ contact_policy }) => contact_policy },
        { title: "discoverable", cell: ({ discoverable }) => (discoverable ? "yes" : "no") },
        { title: "created", cell: ({ created_at }) => output.time(created_at) },
        {
          title: "profile",
          cell: ({ slug }) => (slug === active ? "active" : slug in keys ? "key saved" : "-"),
        },
      ],
      body.handles,
      "no handles yet",
    ),
  );
  if (body.handles.length === 0) output.nextSteps("wireroom handle create NAME");
}

export async function showHandle(session: Session, name: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const handle = await findOwnHandle(client, name);
  if (output.json) return output.result(handle);
  const policy = await client.egress.get({ slug: handle.slug });
  output.fields([...handleFields(handle, output.time), ["egress", policyText(policy)]]);
}

/** Sets the active handle of the profile: one whose API key is saved, or one of the signed-in human. */
export async function useHandle(session: Session, name: string): Promise<void> {
  const { output } = session;
  const handle = handleSlug(name);
  const { keys = {}, signIn } = await session.profile();
  const isSignedIn = Boolean(session.env.WIREROOM_ID_TOKEN) || signIn !== undefined;
  if (!Object.hasOwn(keys, handle) && isSignedIn) await findOwnHandle(await session.dashboard(), handle);
  await setActiveHandle(session, handle);
  output.result({ handle }, () => output.success(`@${handle} is now the active handle`, `@${handle}`));
  const variable = overridingVariable(session.env, handle);
  if (variable) output.note(`${variable} is set and overrides the profile.`);
}

/** Returns the handle of the signed-in human with this slug. Throws `NOT_FOUND` if there is none. */
export async function findOwnHandle(client: WireroomDashboard, name: string): Promise<Handle> {
  for await (const handle of client.handles.list()) if (handle.slug === handleSlug(name)) return handle;
  throw new Failure("NOT_FOUND", `you have no handle @${handleSlug(name)}`, [
    "List your handles: wireroom handle list",
    `Create it: wireroom handle create ${handleSlug(name)}`,
  ]);
}

/** Retires a handle permanently and removes its key from the profile. */
export async function retireHandle(session: Session, name: string): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const { id, slug } = await findOwnHandle(client, name);
  const prefixes: string[] = [];
  for await (const { handle_id, prefix } of client.keys.list()) if (handle_id === id) prefixes.push(prefix);
  await prompt.confirmByTyping(
    [
      `This retires @${slug} permanently.`,
      "Its keys are revoked, its profile is emptied, and it leaves its spaces and contacts.",
      "Its name can never be used again. Its wires stay readable.",
    ].join("\n"),
    slug,
  );
  const body = await client.handles.retire({ slug });
  await session.changeProfile((profile) => withoutHandle(profile, slug, prefixes));
  output.result(body, () => output.success(`@${slug} is retired`, `@${slug}`));
}
