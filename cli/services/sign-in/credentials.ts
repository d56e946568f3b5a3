/** Reads e-mail address and password from flags, environment, standard input or the terminal. */
import { text as readAll } from "node:stream/consumers";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { isLocalAccount } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";

export interface CredentialFlags {
  email?: string | undefined;
  passwordStdin?: boolean | undefined;
}

/** Minimum length of a password (docs/specification/identity.md#passwords). */
const MIN_PASSWORD = 8;
const PASSWORD_ALTERNATIVE = "--password-stdin with the password on standard input, or set WIREROOM_PASSWORD";

export async function readEmail(
  session: Session,
  flags: CredentialFlags,
  defaultEmail?: string,
): Promise<string> {
  return flags.email ?? session.prompt.text("E-mail", "--email ADDRESS", defaultEmail);
}

export function assertHasPassword(email: string): void {
  if (!isLocalAccount(email)) return;
  throw new Failure("USAGE", `${oneLine(email)} is an account of wireroom init, which has no password`, [
    "Sign in: wireroom init",
    "Once signed in, give it an address and a password: wireroom password set",
  ]);
}

/** Returns the password from standard input or `WIREROOM_PASSWORD`. Removes a final line break. */
export async function readGivenPassword(
  session: Session,
  flags: CredentialFlags,
): Promise<string | undefined> {
  if (flags.passwordStdin) return (await readAll(session.io.stdin)).replace(/\r?\n$/, "");
  return session.env.WIREROOM_PASSWORD || undefined;
}

export async function readPassword(session: Session, flags: CredentialFlags): Promise<string> {
  return (await readGivenPassword(session, flags)) ?? (await promptPassword(session));
}

export function promptPassword(session: Session): Promise<string> {
  return session.prompt.secret("Password", PASSWORD_ALTERNATIVE);
}

/** Checks the password before it asks for the repetition. The provider checks it again. */
export async function promptNewPassword(
  session: Session,
  email: string,
  alternative = PASSWORD_ALTERNATIVE,
): Promise<string> {
  const { isCommonPassword } = await import("../../../daemon/identity/common-passwords.js");
  for (;;) {
    const password = await session.prompt.secret(
      `New password (at least ${MIN_PASSWORD} characters)`,
      alternative,
    );
    if ([...password].length < MIN_PASSWORD) {
      session.output.note(`password must have at least ${MIN_PASSWORD} characters`);
      continue;
    }
    if (await isCommonPassword(password, email.trim().toLowerCase())) {
      session.output.note("password is a common password, or easy to guess; choose another one");
      continue;
    }
    if ((await session.prompt.secret("Repeat the password", alternative)) === password) return password;
    session.output.note("The passwords differ. Try again:");
  }
}
