/** Implements the commands `wireroom key …`. The dashboard calls some of these functions too. */

import type { KeysIssueOutput, KeysListOutput, WireroomDashboard } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { readPages } from "../../input/pages.js";
import { HAS_RUN } from "../../output/json/fields.js";
import { isSameDaemon, profileForDaemon } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { findOwnHandle } from "./handles.js";

export interface IssueFlags {
  save?: boolean | undefined;
  show?: boolean | undefined;
  expires?: string | undefined;
}

type Key = KeysListOutput["keys"][number];

export async function issueKey(session: Session, flags: IssueFlags, name: string): Promise<void> {
  const issuer = await signedInSession(session);
  const url = await issuer.url();
  // Before the request, because an unknown field is an error of the command line.
  session.output.checkFields(flags.save && !flags.show ? ["id", "prefix"] : ["id", "key", "prefix"]);
  if (flags.save) profileForDaemon({ ...session.endpointOptions, url }, await session.profile());
  const client = await issuer.dashboard();
  const { id, slug } = await findOwnHandle(client, name);
  const issued = await client.keys.issue({ handle_id: id, expires_at: flags.expires });
  if (flags.save) await saveOrRevoke(session, client, slug, issued, url);
  if (flags.save && !flags.show) return printSavedKey(session, slug, issued);
  await showOrRevoke(session, client, slug, issued, flags);
  if (flags.save) session.output.note(`The key is also saved in the profile ${session.profileName}.`);
}

/**
 * Returns the session whose sign-in issues the key. If `--profile` names a profile without a sign-in, which
 * may not exist yet, this is the session of the profile that is used without `--profile`, unless the two
 * belong to different daemons.
 */
async function signedInSession(session: Session): Promise<Session> {
  const { env, flags } = session;
  const own = await session.profile();
  if (env.WIREROOM_ID_TOKEN || own.signIn || flags.profile === undefined) return session;
  const usual = session.withProfile(undefined);
  const { signIn, url } = await usual.profile();
  if (!signIn) return session;
  return own.url === undefined || isSameDaemon(own, { url }) ? usual : session;
}

/**
 * Saves an API key in the profile. If the profile cannot be written, revokes the key, because a lost key must
 * not stay valid.
 */
async function saveOrRevoke(
  session: Session,
  client: WireroomDashboard,
  slug: string,
  { id, key }: KeysIssueOutput,
  url: string,
): Promise<void> {
  try {
    await saveKey(session, slug, key, url);
  } catch (error) {
    await client.keys.revoke({ id });
    throw error;
  }
}

/**
 * Saves an API key in the profile.
 * @param url the daemon that issued the key; by default the daemon that the session calls
 */
export async function saveKey(session: Session, slug: string, key: string, url?: string): Promise<void> {
  const endpoint = url === undefined ? session.endpointOptions : { ...session.endpointOptions, url };
  await session.changeProfile((profile) => ({
    ...profileForDaemon(endpoint, profile),
    handle: profile.handle ?? slug,
    keys: { ...profile.keys, [slug]: key },
  }));
}

async function printSavedKey(session: Session, slug: string, issued: KeysIssueOutput): Promise<void> {
  const { output, profileName, env } = session;
  const { id, prefix } = issued;
  const { handle } = await session.profile();
  const as = handle === slug ? "" : ` --as @${slug}`;
  output.result({ id, prefix }, () =>
    output.success(`saved the key ${prefix}… of @${slug} in the profile ${profileName}`, prefix),
  );
  if (env.WIREROOM_API_KEY) output.note("WIREROOM_API_KEY is set and overrides the profile.");
  output.nextSteps(
    `wireroom send @${slug} hello${as}`,
    `wireroom inbox${as}`,
    `export WIREROOM_API_KEY=$(wireroom key issue @${slug})   # issue another key for a program`,
  );
}

/** A key that is neither saved nor shown must not stay valid. An expression of `--jq` can fail for it. */
async function showOrRevoke(
  session: Session,
  client: WireroomDashboard,
  slug: string,
  issued: KeysIssueOutput,
  { save }: IssueFlags,
): Promise<void> {
  try {
    show(session, slug, issued);
  } catch (error) {
    if (save) throw error;
    await client.keys.revoke({ id: issued.id });
    const reason = (error as Error).message.replace(` ${HAS_RUN}`, "");
    throw new Failure("USAGE", `the key was revoked, because it cannot be shown: ${reason}`, [
      "Correct the expression of --jq, and issue another key.",
    ]);
  }
}

function show({ output }: Session, slug: string, issued: KeysIssueOutput): void {
  output.result(issued, () => {
    if (!output.isTerminal) return output.line(issued.key);
    output.success(`issued a key of @${slug}; it is shown only once`, issued.key);
    output.line();
    output.line(`  export WIREROOM_API_KEY=${output.paint("bold", issued.key)}`);
  });
}

export async function listKeys(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const [body, names] = await Promise.all([
    readPages({ all: true, limit: 1_000 }, "keys", (page) => client.keys.list(page)),
    handleNames(client),
  ]);
  output.result(body, () =>
    output.table<Key>(
      [
        { title: "key", cell: ({ prefix }) => prefix },
        { title: "handle", cell: ({ handle_id }) => names.get(handle_id) ?? handle_id },
        { title: "state", cell: keyState },
        { title: "issued", cell: ({ created_at }) => output.time(created_at) },
        { title: "last used", cell: ({ last_used_at }) => output.time(last_used_at) },
        { title: "expires", cell: ({ expires_at }) => output.time(expires_at) },
        { title: "id", cell: ({ id }) => id, flexible: true },
      ],
      body.keys,
      "no keys yet; issue one: wireroom key issue @HANDLE --save",
    ),
  );
}

export async function revokeKey(session: Session, name: string): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const [key, names] = await Promise.all([findKey(client, name), handleNames(client)]);
  if (!key)
    throw new Failure("NOT_FOUND", "you have no key with this id or prefix", [
      "List your keys: wireroom key list",
    ]);
  const handle = names.get(key.handle_id) ?? key.handle_id;
  await prompt.confirm(
    `Revoke the key ${key.prefix} of ${handle}? Programs that use it lose access at once.`,
  );
  const body = await client.keys.revoke({ id: key.id });
  await removeSavedKey(session, key.prefix);
  output.result(body, () => output.success(`revoked the key ${key.prefix} of ${handle}`, key.id));
}

/** Returns the key with this id or display prefix. */
async function findKey(client: WireroomDashboard, name: string): Promise<Key | undefined> {
  for await (const key of client.keys.list()) if (key.id === name || key.prefix === name) return key;
  return undefined;
}

/** Removes the API key with this prefix from the profile, if the profile contains it. */
export async function removeSavedKey(session: Session, prefix: string): Promise<void> {
  await session.changeProfile((profile) => {
    const saved = Object.entries(profile.keys ?? {});
    const rest = saved.filter(([, key]) => !key.startsWith(prefix));
    return rest.length === saved.length ? profile : { ...profile, keys: Object.fromEntries(rest) };
  });
}

/** Returns a map from the id of a handle to `@slug`. */
async function handleNames(client: WireroomDashboard): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, slug } of client.handles.list()) names.set(id, `@${slug}`);
  return names;
}

export type KeyState = "valid" | "revoked" | "expired";

export function keyState({ revoked_at, expires_at }: Key): KeyState {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now() ? "expired" : "valid";
}
