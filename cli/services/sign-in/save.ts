/** Saves a sign-in in the profile. All sign-in methods use this module. */
import type { Account } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import { profileForDaemon } from "../../profiles/endpoint.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";

/** Throws `USAGE` if the profile belongs to another daemon. Call this function before the first prompt. */
export async function assertProfileUsable(session: Session): Promise<void> {
  profileForDaemon(session.endpointOptions, await session.profile());
}

/** Verifies the new ID token at the daemon and saves it. Then prints the account and the next command. */
export async function saveSignIn(session: Session, signIn: SignIn): Promise<void> {
  const { output } = session;
  const client = await session.asHuman(signIn.idToken);
  const account: Account = await client.account.get();
  await session.changeProfile((profile) => ({
    ...profileForDaemon(session.endpointOptions, profile),
    signIn,
  }));
  const url = await session.url();
  output.result(account, () =>
    output.success(`signed in as ${oneLine(account.email)} at ${url}`, account.email),
  );
  if (!output.isTerminal || output.json) return;
  const { handles } = await client.handles.list({ limit: 1 });
  output.nextSteps(handles.length === 0 ? "wireroom handle create NAME" : "wireroom inbox");
}
