/** Declares `wireroom whoami`. */
import { oneLine } from "../../output/safe.js";
import { activeHandle, daemonUrl, noCredentials } from "../../profiles/endpoint.js";
import { profileFile, profileNames } from "../../profiles/folder.js";
import { KEY_DISPLAY_LENGTH, readProfile } from "../../profiles/profile.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";

export const add = command<{ all?: true }>({
  name: "whoami",
  description: "show the account, active handle, daemon and profile",
  options: (command) => command.option("--all", "list every profile on this machine"),
  examples: ["wireroom whoami", "wireroom whoami --as @bob", "wireroom whoami --all"],
  run: (session, { all }) => (all ? listProfiles(session) : showIdentity(session)),
});

async function showIdentity(session: Session): Promise<void> {
  const { output, env, flags, endpointOptions } = session;
  const profile = await session.profile();
  const active = activeHandle(endpointOptions, profile);
  const hasKey =
    Boolean(env.WIREROOM_API_KEY) || (active !== undefined && profile.keys?.[active] !== undefined);
  const isSignedIn = Boolean(env.WIREROOM_ID_TOKEN) || profile.signIn !== undefined;
  if (!hasKey && !isSignedIn && flags.as === undefined) throw noCredentials(endpointOptions, profile);
  const [account, handle] = await Promise.all([
    isSignedIn ? session.dashboard().then((client) => client.account.get()) : null,
    hasKey || flags.as !== undefined || active !== undefined
      ? session.agent().then((client) => client.profile.get())
      : null,
  ]);
  const url = await session.url();
  const keys = Object.keys(profile.keys ?? {});
  const programKeys = Object.keys(profile.programKeys ?? {});
  const programs = Object.entries(profile.programKeys ?? {}).map(
    ([slug, key]) => `@${slug} (${key.slice(0, KEY_DISPLAY_LENGTH)})`,
  );
  const named = { profile: session.profileName, keys, program_keys: programKeys };
  output.result({ account, handle, url, ...named }, () =>
    output.fields([
      ["account", account?.email ?? "-"],
      ["approval mails", account?.approval_mails == null ? undefined : account.approval_mails ? "on" : "off"],
      ["handle", handle ? `@${handle.slug}` : "-"],
      ["daemon", url],
      ["profile", session.profileName],
      ["saved keys", handleList(keys)],
      ...(programs.length > 0 ? [["keys of programs", programs.join(", ")] as const] : []),
    ]),
  );
  if (env.WIREROOM_API_KEY && flags.as === undefined && (isSignedIn || profile.handle !== undefined))
    output.note("WIREROOM_API_KEY is set and overrides the profile.");
  if (handle === null) output.nextSteps("wireroom handle list", "wireroom handle use @HANDLE");
}

async function listProfiles(session: Session): Promise<void> {
  const { output, env } = session;
  const profiles = await Promise.all(
    (await profileNames(env)).map(async (name) => {
      const profile = await readProfile(profileFile(name, env));
      const { signIn, handle = null, keys = {} } = profile;
      const url = daemonUrl({ env: {} }, profile);
      return { profile: name, url, email: signIn?.email ?? null, handle, keys: Object.keys(keys) };
    }),
  );
  output.result({ profiles }, () =>
    output.table(
      [
        { title: "profile", cell: ({ profile }) => profile },
        { title: "daemon", cell: ({ url }) => url, flexible: true },
        { title: "account", cell: ({ email }) => oneLine(email ?? "-"), flexible: true },
        { title: "handle", cell: ({ handle }) => (handle === null ? "-" : `@${handle}`) },
        { title: "saved keys", cell: ({ keys }) => handleList(keys) },
      ],
      profiles,
      "no profiles yet; create one: wireroom init",
    ),
  );
}

function handleList(slugs: readonly string[]): string {
  return slugs.map((slug) => `@${slug}`).join(", ") || "-";
}
