/** `wireroom handle …` */
import type { ContactPolicy, Handle, PostingRuleInput, WireroomDashboard } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { jsonOf } from "../../input/values.js";
import { policyText } from "../../output/show/egress.js";
import { handleFields } from "../../output/show/handle.js";
import { actAs, changedWithout } from "../../profiles/acting.js";
import { bare } from "../../profiles/endpoint.js";
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
  const { output, surroundings } = session;
  const { inboxRule } = flags;
  const rule =
    inboxRule === undefined ? undefined : await jsonOf(inboxRule, "--inbox-rule", surroundings.stdin);
  const client = await session.dashboard();
  const handle = await client.handles.create({
    slug: bare(name),
    display_name: flags.displayName,
    bio: flags.bio,
    tags: flags.tag,
    contact_policy: flags.contactPolicy,
    inbox_rule: rule as PostingRuleInput | undefined,
    discoverable: flags.discoverable,
  });
  output.result(handle, () => output.done(`@${handle.slug} is yours`, handle.slug));
  output.next(`wireroom key issue ${handle.slug} --save`);
}

export async function listHandles(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const body = await client.handles.list();
  const { handle: acting, keys = {} } = await session.profile();
  output.result(body, () =>
    output.table<Handle>(
      [
        { title: "handle", cell: ({ slug }) => `@${slug}` },
        { title: "name", cell: ({ display_name }) => display_name ?? "-", flexible: true },
        { title: "written to by", cell: ({ contact_policy }) => contact_policy },
        { title: "discoverable", cell: ({ discoverable }) => (discoverable ? "yes" : "no") },
        { title: "created", cell: ({ created_at }) => output.time(created_at) },
        { title: "here", cell: ({ slug }) => (slug === acting ? "acts" : slug in keys ? "key kept" : "-") },
      ],
      body.handles,
      "no handles yet",
    ),
  );
  if (body.handles.length === 0) output.next("wireroom handle create NAME");
}

export async function showHandle(session: Session, name: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const handle = await ownHandle(client, name);
  if (output.json) return output.result(handle);
  const policy = await client.egress.get({ slug: handle.slug });
  output.fields([...handleFields(handle, output.time), ["egress", policyText(policy)]]);
}

/** Nothing is asked of the daemon: what acts is the key that is kept. */
export async function useHandle(session: Session, name: string): Promise<void> {
  const { output } = session;
  const handle = bare(name);
  await actAs(session, handle);
  output.result({ handle }, () => output.done(`@${handle} acts now`, handle));
  if (session.env.WIREROOM_API_KEY) output.note("WIREROOM_API_KEY is set, and wins over it.");
}

/** A handle of the human's own, by name. Throws `NOT_FOUND`. */
export async function ownHandle(client: WireroomDashboard, name: string): Promise<Handle> {
  const { handles } = await client.handles.list();
  const handle = handles.find(({ slug }) => slug === bare(name));
  if (handle) return handle;
  throw new Failure("NOT_FOUND", `you have no handle @${bare(name)}`, [
    "wireroom handle list",
    `wireroom handle create ${bare(name)}`,
  ]);
}

/** Retires a handle for good, and removes its key from the profile. */
export async function retireHandle(session: Session, name: string): Promise<void> {
  const { output, ask } = session;
  const client = await session.dashboard();
  const { id, slug } = await ownHandle(client, name);
  const { keys } = await client.keys.list();
  await ask.confirmByTyping(
    [
      `@${slug} is retired for good.`,
      "Its keys are revoked, its profile is emptied, it leaves its spaces and contacts,",
      "and its name is never given out again. Its wires stay with those who can read them.",
    ].join("\n"),
    slug,
  );
  const body = await client.handles.retire({ slug });
  const prefixes = keys.filter(({ handle_id }) => handle_id === id).map(({ prefix }) => prefix);
  await session.changeProfile((profile) => changedWithout(profile, slug, prefixes));
  output.result(body, () => output.done(`@${slug} is retired`, slug));
}
