/**
 * Issues the key of a program that acts for a handle, such as the MCP bridge. With the sign-in of the human,
 * what it sends would count as the human's, and would never be held for approval.
 */
import { profileForDaemon } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { findOwnHandle } from "../own-handle.js";

/** Issues a key and saves it in the profile, unless another process has saved one meanwhile. */
export async function issueProgramKey(session: Session, handle: string): Promise<string> {
  const [client, url] = await Promise.all([session.dashboard(), session.url()]);
  const { id, slug } = await findOwnHandle(client, handle);
  const issued = await client.keys.issue({ handle_id: id });
  let key = issued.key;
  try {
    await session.changeProfile((profile) => {
      key = profile.keys?.[slug] ?? issued.key;
      const own = profileForDaemon({ ...session.endpointOptions, url }, profile);
      return { ...own, handle: profile.handle ?? slug, keys: { ...profile.keys, [slug]: key } };
    });
  } catch (error) {
    key = "";
    throw error;
  } finally {
    if (key !== issued.key) await client.keys.revoke({ id: issued.id });
  }
  return key;
}
