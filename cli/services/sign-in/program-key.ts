/**
 * Issues and revokes the keys of programs that act for a handle, such as the MCP bridge. With the human's
 * sign-in, what they send would count as the human's, and would never be held for approval.
 */
import { oneLine } from "../../output/safe.js";
import { apiKeyFor, profileForDaemon } from "../../profiles/endpoint.js";
import { removeSavedKey } from "../../profiles/saved-keys.js";
import type { Session } from "../../session.js";
import { findOwnHandle } from "../own-handle.js";

/**
 * Issues a key and saves it in the profile, unless another process has done so. The lock of the profile also
 * delays Ctrl-C, so the profile has each key that was issued.
 */
export async function issueProgramKey(session: Session, handle: string): Promise<string> {
  const [dashboard, url] = await Promise.all([session.dashboard(), session.url()]);
  const { id, slug } = await findOwnHandle(dashboard, handle);
  // Use the token of the lookup, because a renewal would wait for the lock that is held below.
  const client = await session.asHuman(await session.idToken());
  const options = { ...session.endpointOptions, as: slug, isProgram: true };
  let issuedId: string | undefined;
  try {
    await session.changeProfile(async (profile) => {
      if (apiKeyFor(options, profile) !== undefined) return profile;
      const own = profileForDaemon({ ...session.endpointOptions, url }, profile);
      const issued = await client.keys.issue({ handle_id: id });
      issuedId = issued.id;
      const programKeys = { ...profile.programKeys, [slug]: issued.key };
      return { ...own, handle: profile.handle ?? slug, programKeys };
    });
  } catch (error) {
    if (issuedId !== undefined) await client.keys.revoke({ id: issuedId });
    throw error;
  }
  return apiKeyFor(options, await session.profile())!;
}

/** Revokes and removes the keys that programs issued by the profile's sign-in. A failure is only a note. */
export async function revokeProgramKeys(session: Session): Promise<void> {
  const saved = Object.values((await session.profile()).programKeys ?? {});
  if (saved.length === 0) return;
  try {
    const client = await session.asHuman(await session.idTokenSource());
    for await (const { id, prefix } of client.keys.list()) {
      if (!saved.some((key) => key.startsWith(prefix))) continue;
      await client.keys.revoke({ id });
      await removeSavedKey(session, prefix);
    }
  } catch (error) {
    session.output.note(`Could not revoke the keys of programs: ${oneLine((error as Error).message)}`);
  }
}
