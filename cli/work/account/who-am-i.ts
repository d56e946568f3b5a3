/** `wireroom whoami`: who calls, and whom. */
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { actingHandle, urlOf } from "../../profiles/endpoint.js";
import { profileFile, profileNames } from "../../profiles/folder.js";
import { readProfile } from "../../profiles/profile.js";
import type { Session } from "../../session.js";

/** Asks the daemon, as the human, as the handle, or as both, depending on what credentials there are. */
export async function whoAmI(session: Session): Promise<void> {
  const { output, env, flags, choices } = session;
  const profile = await session.profile();
  const acting = actingHandle(choices, profile);
  const hasKey =
    Boolean(env.WIREROOM_API_KEY) || (acting !== undefined && profile.keys?.[acting] !== undefined);
  const isSignedIn = Boolean(env.WIREROOM_ID_TOKEN) || profile.signIn !== undefined;
  if (!hasKey && !isSignedIn && flags.as === undefined)
    throw new Failure("NO_CREDENTIALS", "nobody is signed in, and there is no API key to act with", [
      "wireroom login (or wireroom signup, for a new account)",
      "or set WIREROOM_API_KEY to a key that you have.",
    ]);
  const [account, handle] = await Promise.all([
    isSignedIn ? session.dashboard().then((client) => client.account.get()) : null,
    hasKey || flags.as !== undefined ? session.agent().then((client) => client.profile.get()) : null,
  ]);
  const url = await session.url();
  const keys = Object.keys(profile.keys ?? {});
  output.result({ account, handle, url, profile: session.profileName, keys }, () =>
    output.fields([
      ["account", account?.email ?? "-"],
      ["handle", handle ? `@${handle.slug}` : "-"],
      ["daemon", url],
      ["profile", session.profileName],
      ["keys of", keys.map((slug) => `@${slug}`).join(", ") || "-"],
    ]),
  );
  if (handle === null) output.next("wireroom handle list", "wireroom key issue HANDLE --save");
}

/** Lists the profiles on this machine, without asking a daemon. */
export async function allProfiles(session: Session): Promise<void> {
  const { output, env } = session;
  const profiles = await Promise.all(
    (await profileNames(env)).map(async (name) => {
      const profile = await readProfile(profileFile(name, env));
      const { signIn, handle = null, keys = {} } = profile;
      const url = urlOf({ env: {} }, profile);
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
        { title: "keys of", cell: ({ keys }) => keys.map((slug) => `@${slug}`).join(", ") || "-" },
      ],
      profiles,
      "no profiles yet: wireroom signup makes one",
    ),
  );
}
