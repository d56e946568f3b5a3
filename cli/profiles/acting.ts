/** Which handle of the profile acts. */
import { Failure } from "../failure.js";
import type { Session } from "../session.js";

/** Makes a handle the one that acts. Throws `NO_CREDENTIALS` where the profile keeps no key of it. */
export async function actAs(session: Session, handle: string): Promise<void> {
  await session.changeProfile((profile) => {
    if (Object.hasOwn(profile.keys ?? {}, handle)) return { ...profile, handle };
    throw new Failure("NO_CREDENTIALS", `there is no API key of @${handle} in this profile`, [
      `wireroom key issue ${handle} --save`,
    ]);
  });
}
