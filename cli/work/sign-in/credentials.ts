/** E-mail and password: from flags, the environment and standard input, or from the person at the terminal. */
import { text as readAll } from "node:stream/consumers";
import type { Session } from "../../session.js";

/** Flags of commands that take e-mail and password. */
export interface CredentialFlags {
  email?: string | undefined;
  passwordStdin?: boolean | undefined;
}

const INSTEAD_OF_PASSWORD = "--password-stdin and the password on standard input, or set WIREROOM_PASSWORD";

/** The address given, or asked for. @param usual what an empty answer means */
export async function emailOf(session: Session, flags: CredentialFlags, usual?: string): Promise<string> {
  return flags.email ?? session.ask.text("E-mail", "--email ADDRESS", usual);
}

/** A password that was given; undefined where there is none. One line break at its end is the shell's. */
export async function givenPassword(session: Session, flags: CredentialFlags): Promise<string | undefined> {
  if (flags.passwordStdin) return (await readAll(session.surroundings.stdin)).replace(/\r?\n$/, "");
  return session.env.WIREROOM_PASSWORD || undefined;
}

/** Asks for the password of an account. */
export function askPassword(session: Session): Promise<string> {
  return session.ask.secret("Password", INSTEAD_OF_PASSWORD);
}

/** Asks for a new password, until it is typed twice the same. */
export async function askNewPassword(session: Session): Promise<string> {
  for (;;) {
    const password = await session.ask.secret("New password (at least 8 characters)", INSTEAD_OF_PASSWORD);
    if ((await session.ask.secret("The same again", INSTEAD_OF_PASSWORD)) === password) return password;
    session.output.note("They differ. Once more:");
  }
}
