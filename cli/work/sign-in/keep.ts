/** The end of every way to sign in: the daemon accepts the token, and the profile keeps it. */
import type { Account } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import { atHome } from "../../profiles/endpoint.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";

/** Throws, before anything is asked, where the profile belongs to another daemon. */
export async function checkProfile(session: Session): Promise<void> {
  atHome(session.choices, await session.profile());
}

/** Shows the daemon the new token, keeps it, and says what comes next. The result is the account. */
export async function keepSignIn(session: Session, signIn: SignIn): Promise<void> {
  const { output } = session;
  const client = await session.asHuman(signIn.idToken);
  const account: Account = await client.account.get();
  await session.changeProfile((profile) => ({ ...atHome(session.choices, profile), signIn }));
  const url = await session.url();
  output.result(account, () =>
    output.done(`signed in as ${oneLine(account.email)} at ${url}`, account.email),
  );
  if (!output.isTerminal || output.json) return;
  const { handles } = await client.handles.list();
  const { keys = {} } = await session.profile();
  if (handles.length === 0) output.next("wireroom handle create NAME");
  else if (Object.keys(keys).length === 0) output.next(`wireroom key issue ${handles[0]!.slug} --save`);
  else output.next("wireroom inbox");
}
