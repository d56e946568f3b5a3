/** Implements `wireroom password`: replaces a forgotten or a known password at the embedded provider. */
import { text as readAll } from "node:stream/consumers";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import { type CredentialFlags, promptNewPassword, readEmail, readGivenPassword } from "./credentials.js";
import { requestJson } from "./http.js";
import { printCodeLocation, promptCode } from "./logged-code.js";
import type { PublishedProvider } from "./provider-discovery.js";
import { assertProfileUsable } from "./save.js";
import { ownProvider, signInAfterConfirm } from "./sign-up.js";
import { untilValid } from "./valid-input.js";

export type ForgotFlags = Pick<CredentialFlags, "email">;

export interface ResetFlags extends CredentialFlags {
  code?: string | undefined;
}

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
  if (prompt.isAvailable) return setWithCode(session, provider, { email });
  output.note(`Then: wireroom password reset --email ${email} --code CODE --password-stdin`);
}

/** Sets the password with the code of `wireroom password forgot`. Asks for what is not given. */
export async function resetPassword(session: Session, flags: ResetFlags): Promise<void> {
  await assertProfileUsable(session);
  const provider = await ownProvider(session);
  const { signIn } = await session.profile();
  const email = await readEmail(session, flags, signIn?.email);
  const password = await readGivenPassword(session, flags);
  await setWithCode(session, provider, { email, code: flags.code, password });
}

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
  const { output } = session;
  const headers = { authorization: `Bearer ${idToken}` };
  const given = await readGiven(session, flags);
  if (!given.newPassword) output.note(`Change the password of ${oneLine(email)}.`);
  await untilValid(session, given, async (input) => {
    input.password ??= await session.prompt.secret("Current password", CHANGE_ALTERNATIVE);
    input.newPassword ??= await promptNewPassword(session, CHANGE_ALTERNATIVE);
    const body = { email, password: input.password, new_password: input.newPassword };
    await requestJson(`${issuer}/password`, body, headers);
  });
  output.result({ email, status: "changed" }, () =>
    output.success(`changed the password of ${oneLine(email)}; all other sign-ins have ended`, "changed"),
  );
}

const CHANGE_ALTERNATIVE = "--password-stdin with the current password and the new one on two lines";

/** Sets a new password with a code, and signs in. Asks for what is not given. */
async function setWithCode(
  session: Session,
  provider: PublishedProvider,
  { email, ...given }: { email: string; code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const url = `${provider.issuer}/reset`;
  const { password } = await untilValid(session, given, async (input) => {
    input.code ??= await promptCode(session, {
      ...{ email, provider, message: "password reset code" },
      request: async () => void (await requestJson(`${provider.issuer}/forgot`, { email })),
    });
    input.password ??= await promptNewPassword(session);
    await requestJson(url, { email, code: input.code, password: input.password });
  });
  await signInAfterConfirm(session, { email, password: password! }, provider, printSet);
}

function printSet({ output }: Session, email: string): void {
  output.result({ email, status: "changed" }, () =>
    output.success(`set the new password of ${oneLine(email)}`, "changed"),
  );
  output.nextSteps("wireroom login");
}

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
