/** Implements `wireroom password`: replaces a forgotten or a known password at the embedded provider. */
import { text as readAll } from "node:stream/consumers";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import {
  type CredentialFlags,
  promptNewPassword,
  promptPassword,
  readEmail,
  readGivenPassword,
} from "./credentials.js";
import { requestJson } from "./http.js";
import { printCodeLocation } from "./logged-code.js";
import type { PublishedProvider } from "./provider-discovery.js";
import { assertProfileUsable } from "./save.js";
import { isInvalid, ownProvider, printReasons, signInAfterConfirm } from "./sign-up.js";

export type ForgotFlags = Pick<CredentialFlags, "email">;

export interface ResetFlags extends CredentialFlags {
  code: string;
}

/** Requests a code. On a terminal, also asks for the code and the new password. */
export async function forgotPassword(session: Session, flags: ForgotFlags): Promise<void> {
  await assertProfileUsable(session);
  const provider = await ownProvider(session);
  const { signIn } = await session.profile();
  const email = await readEmail(session, flags, signIn?.email);
  const requestedAtMs = now();
  await requestJson(`${provider.issuer}/forgot`, { email });
  const { output, prompt } = session;
  if (!prompt.isAvailable)
    output.result({ email, status: "code_sent" }, () =>
      output.success(`sent a code to ${email}`, "code_sent"),
    );
  await printCodeLocation(session, email, provider, requestedAtMs, "password reset code");
  if (prompt.isAvailable) return promptReset(session, email, provider);
  output.note(`Then: wireroom password reset --email ${email} --code CODE --password-stdin`);
}

/** Sets the password with a code that `wireroom password forgot` has requested. */
export async function resetPassword(session: Session, flags: ResetFlags): Promise<void> {
  await assertProfileUsable(session);
  const provider = await ownProvider(session);
  const email = await readEmail(session, flags);
  const password = (await readGivenPassword(session, flags)) ?? (await promptNewPassword(session));
  await requestJson(`${provider.issuer}/reset`, { email, code: flags.code, password });
  await signInAfterConfirm(session, { email, password }, provider);
}

/** Replaces the password of the signed-in account. The sign-in of the profile stays valid. */
export async function changePassword(session: Session, flags: CredentialFlags): Promise<void> {
  const { signIn } = await session.profile();
  if (!signIn)
    throw new Failure("NO_CREDENTIALS", "not signed in", [
      "Sign in: wireroom login",
      "If you forgot the password: wireroom password forgot",
    ]);
  const { issuer } = await ownProvider(session);
  const idToken = await (await session.idTokenSource())();
  const { email } = signIn;
  const [password, newPassword] = await readPasswords(session, flags);
  const headers = { authorization: `Bearer ${idToken}` };
  await requestJson(`${issuer}/password`, { email, password, new_password: newPassword }, headers);
  const { output } = session;
  output.result({ email, status: "changed" }, () =>
    output.success(`changed the password of ${oneLine(email)}; all other sign-ins have ended`, "changed"),
  );
}

/** Asks for the code and the new password until the provider accepts them, and signs in. */
async function promptReset(session: Session, email: string, provider: PublishedProvider): Promise<void> {
  for (;;) {
    const code = await session.prompt.text("Code (6 digits)", "wireroom password reset --code CODE");
    const password = await promptNewPassword(session);
    try {
      await requestJson(`${provider.issuer}/reset`, { email, code, password });
    } catch (error) {
      if (!isInvalid(error)) throw error;
      printReasons(session, error);
      continue;
    }
    return signInAfterConfirm(session, { email, password }, provider);
  }
}

/** Returns the current and the new password. */
async function readPasswords(session: Session, flags: CredentialFlags): Promise<[string, string]> {
  if (!flags.passwordStdin) {
    const current = (await readGivenPassword(session, flags)) ?? (await promptPassword(session));
    return [current, await promptNewPassword(session)];
  }
  const [current, next, ...rest] = (await readAll(session.io.stdin)).replace(/\r?\n$/, "").split(/\r?\n/);
  if (current === undefined || next === undefined || rest.length > 0)
    throw new Failure("USAGE", "--password-stdin needs the current password and the new one on two lines");
  return [current, next];
}
