/** Implements `wireroom password`: replaces a forgotten or known password at the embedded provider. */
import { text as readAll } from "node:stream/consumers";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import {
  assertHasPassword,
  type CredentialFlags,
  printCodeLocation,
  printCodeSent,
  promptCode,
  promptNewPassword,
  readEmail,
  readGivenPassword,
  type SentCode,
  untilValid,
} from "./credentials.js";
import { requestJson } from "./http.js";
import { ownProvider } from "./provider-discovery.js";
import { signInAfterConfirm } from "./sign-up.js";
import { prepareProfile } from "./stored-sign-in.js";

export type ForgotFlags = Pick<CredentialFlags, "email">;

export interface ResetFlags extends CredentialFlags {
  code?: string | undefined;
}

export async function forgotPassword(session: Session, flags: ForgotFlags): Promise<void> {
  const code = await resetCode(session, flags);
  await code.request();
  if (!session.prompt.isAvailable) return printCodeSent(session, code, "password reset");
  await printCodeLocation(session, code);
  await setWithCode(session, code, {});
}

export async function resetPassword(session: Session, flags: ResetFlags): Promise<void> {
  const code = await resetCode(session, flags);
  const password = await readGivenPassword(session, flags);
  await setWithCode(session, code, { code: flags.code, password });
}

async function resetCode(session: Session, flags: ForgotFlags): Promise<SentCode> {
  await prepareProfile(session);
  const provider = await ownProvider(session);
  const { signIn, lastEmail } = await session.profile();
  const email = await readEmail(session, flags, signIn?.email ?? lastEmail);
  assertHasPassword(email);
  const request = () => requestJson(`${provider.issuer}/forgot`, { email });
  const exception = "If the address has no account, no code is sent. Sign up: wireroom signup";
  return { email, provider, exception, request };
}

async function setWithCode(
  session: Session,
  sent: SentCode,
  given: { code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const { email, provider } = sent;
  const { password } = await untilValid(session, given, async (input) => {
    input.password ??= await promptNewPassword(session, email);
    // Ask for the code last, so that a wrong one is rejected at once.
    input.code ??= await promptCode(session, sent);
    await requestJson(`${provider.issuer}/reset`, { email, code: input.code, password: input.password });
  });
  await signInAfterConfirm(session, { email, password: password! }, provider, true);
}

export async function changePassword(session: Session, flags: CredentialFlags): Promise<void> {
  // Throws if the profile has no sign-in.
  const tokens = await session.idTokenSource();
  const { email } = (await session.profile()).signIn!;
  assertHasPassword(email);
  const { issuer } = await ownProvider(session);
  const idToken = await tokens();
  const { output } = session;
  const headers = { authorization: `Bearer ${idToken}` };
  const given = await readGiven(session, flags);
  if (!given.newPassword) output.note(`Change the password of ${oneLine(email)}.`);
  await untilValid(session, given, async (input) => {
    input.password ??= await session.prompt.secret("Current password", CHANGE_ALTERNATIVE);
    input.newPassword ??= await promptNewPassword(session, email, CHANGE_ALTERNATIVE);
    const body = { email, password: input.password, new_password: input.newPassword };
    await requestJson(`${issuer}/password`, body, headers);
  });
  output.result({ email, status: "changed" }, () =>
    output.success(`changed the password of ${oneLine(email)}; all other sign-ins have ended`, "changed"),
  );
}

const CHANGE_ALTERNATIVE = "--password-stdin with the current password and the new one on two lines";

interface Change extends Record<string, string | undefined> {
  password?: string | undefined;
  newPassword?: string | undefined;
}

async function readGiven(session: Session, flags: CredentialFlags): Promise<Change> {
  if (!flags.passwordStdin) return { password: await readGivenPassword(session, flags) };
  const [password, newPassword, ...rest] = (await readAll(session.io.stdin))
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  if (password === undefined || newPassword === undefined || rest.length > 0)
    throw new Failure("USAGE", "--password-stdin needs the current password and the new one on two lines");
  return { password, newPassword };
}
