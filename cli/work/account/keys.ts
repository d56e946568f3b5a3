/** `wireroom key …` */
import type { KeysIssueOutput, KeysListOutput, WireroomDashboard } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { atHome } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { ownHandle } from "./handles.js";

export interface IssueFlags {
  save?: boolean | undefined;
  show?: boolean | undefined;
  expires?: string | undefined;
}

type Key = KeysListOutput["keys"][number];

export async function issueKey(session: Session, flags: IssueFlags, name: string): Promise<void> {
  if (flags.save) atHome(session.choices, await session.profile());
  const client = await session.dashboard();
  const { id, slug } = await ownHandle(client, name);
  const issued = await client.keys.issue({ handle_id: id, expires_at: flags.expires });
  if (flags.save) await keepKey(session, client, slug, issued);
  if (flags.save && !flags.show) return sayIsSaved(session, slug, issued);
  show(session, slug, issued);
  if (flags.save) session.output.note(`It is kept in the profile ${session.profileName} too.`);
}

/** Keeps a key in the profile. One that could not be kept would be lost, and live on: it is revoked. */
export async function keepKey(
  session: Session,
  client: WireroomDashboard,
  slug: string,
  { id, key }: KeysIssueOutput,
): Promise<void> {
  try {
    await session.changeProfile((profile) => ({
      ...atHome(session.choices, profile),
      handle: profile.handle ?? slug,
      keys: { ...profile.keys, [slug]: key },
    }));
  } catch (error) {
    await client.keys.revoke({ id });
    throw error;
  }
}

async function sayIsSaved(session: Session, slug: string, issued: KeysIssueOutput): Promise<void> {
  const { output, profileName, env } = session;
  const { id, prefix } = issued;
  const { handle } = await session.profile();
  const as = handle === slug ? "" : ` --as ${slug}`;
  output.result({ id, prefix }, () =>
    output.done(`the key ${prefix}… of @${slug} is kept in the profile ${profileName}`, prefix),
  );
  if (env.WIREROOM_API_KEY) output.note("WIREROOM_API_KEY is set, and wins over it.");
  output.next(
    `wireroom send @${slug} hello${as}`,
    `wireroom inbox${as}`,
    `export WIREROOM_API_KEY=$(wireroom key issue ${slug})   # another key, for a program`,
  );
}

function show({ output }: Session, slug: string, issued: KeysIssueOutput): void {
  output.result(issued, () => {
    if (!output.isTerminal) return output.line(issued.key);
    output.done(`a key of @${slug}; it is shown this once`, issued.key);
    output.line();
    output.line(`  export WIREROOM_API_KEY=${output.paint("bold", issued.key)}`);
  });
}

export async function listKeys(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const [body, names] = await Promise.all([client.keys.list(), handleNames(client)]);
  output.result(body, () =>
    output.table<Key>(
      [
        { title: "key", cell: ({ prefix }) => prefix },
        { title: "handle", cell: ({ handle_id }) => names.get(handle_id) ?? handle_id },
        { title: "state", cell: keyState },
        { title: "issued", cell: ({ created_at }) => output.time(created_at) },
        { title: "used", cell: ({ last_used_at }) => output.time(last_used_at) },
        { title: "ends", cell: ({ expires_at }) => output.time(expires_at) },
        { title: "id", cell: ({ id }) => id, flexible: true },
      ],
      body.keys,
      "no keys yet: wireroom key issue HANDLE --save",
    ),
  );
}

export async function revokeKey(session: Session, name: string): Promise<void> {
  const { output, ask } = session;
  const client = await session.dashboard();
  const [{ keys }, names] = await Promise.all([client.keys.list(), handleNames(client)]);
  const key = keys.find(({ id, prefix }) => id === name || prefix === name);
  if (!key)
    throw new Failure("NOT_FOUND", "you have no key of that id or prefix", [
      "See what there is: wireroom key list",
    ]);
  const handle = names.get(key.handle_id) ?? key.handle_id;
  await ask.confirm(`Revoke ${key.prefix} of ${handle}? What acts with it stops at once.`);
  const body = await client.keys.revoke({ id: key.id });
  await forgetKey(session, key.prefix);
  output.result(body, () => output.done(`the key ${key.prefix} of ${handle} is revoked`, key.id));
}

/** Takes the key out of the profile, where that keeps it. */
export async function forgetKey(session: Session, prefix: string): Promise<void> {
  await session.changeProfile((profile) => {
    const kept = Object.entries(profile.keys ?? {});
    const rest = kept.filter(([, key]) => !key.startsWith(prefix));
    return rest.length === kept.length ? profile : { ...profile, keys: Object.fromEntries(rest) };
  });
}

/** `@slug` by id. */
async function handleNames(client: WireroomDashboard): Promise<ReadonlyMap<string, string>> {
  const { handles } = await client.handles.list();
  return new Map(handles.map(({ id, slug }) => [id, `@${slug}`]));
}

/** `valid`, `revoked` or `ended`. */
export function keyState({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now() ? "ended" : "valid";
}
