/** Reads e-mail address, password and code from flags, environment, standard input or the terminal. */
import { text as readAll } from "node:stream/consumers";
import { WireroomError } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { isLocalAccount } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { calledDaemon } from "../daemon/running.js";
import { dataDirFlag, readDataDir } from "../daemon/settings.js";
import type { PublishedProvider } from "./provider-discovery.js";

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
  if (flags.email !== undefined) return flags.email;
  for (;;) {
    const email = await session.prompt.text("E-mail", "--email ADDRESS", defaultEmail);
    if (email.includes("@")) return email;
    session.output.note("an e-mail address contains @, such as ada@example.com");
  }
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

export interface SentCode {
  email: string;
  provider: PublishedProvider;
  /** Text that says when the provider sends no code, and what to do then. */
  exception: string;
  /** Requests a code. The provider refuses a second request within a short time. */
  request(): Promise<unknown>;
}

/** Prints where the human finds a code. A daemon without a mail server writes codes to its log. */
export async function printCodeLocation(session: Session, code: SentCode): Promise<void> {
  const { output, prompt } = session;
  if (code.provider.codes === "log") {
    const hasLogFile = Boolean((await calledDaemon(session))?.log_file);
    // `wireroom logs` without the URL may not find the data folder.
    const isNamed = session.flags.url !== undefined || session.env.WIREROOM_URL;
    const dataDir = isNamed ? await readDataDir(session, {}) : undefined;
    const place = prompt.isAvailable ? " in another terminal" : "";
    output.note("This daemon has no mail server, so the code is in its log.");
    output.note(
      hasLogFile
        ? `Read the log${place}: wireroom logs${dataDirFlag({ dataDir })}`
        : "Read the log in the terminal where the daemon runs, or in the journal of its service.",
    );
  } else output.note(`A code was sent to ${code.email}. It is valid for 10 minutes.`);
  output.note(output.paintNote("dim", code.exception));
}

/** Prints that a code was sent, and the command with which a script continues. */
export async function printCodeSent(session: Session, code: SentCode, command: string): Promise<void> {
  const { output } = session;
  const { email } = code;
  output.result({ email, status: "code_sent" }, () => output.success(`sent a code to ${email}`, "code_sent"));
  await printCodeLocation(session, code);
  output.note(`Then: wireroom ${command} --email ${email} --code CODE --password-stdin`);
}

export async function promptCode({ output, prompt }: Session, code: SentCode): Promise<string> {
  for (;;) {
    const entered = await prompt.optionalText("Code (press Enter for a new one)", "--code CODE");
    if (entered !== "") return entered;
    await code.request();
    const place = code.provider.codes === "log" ? "in the daemon's log" : "by e-mail";
    output.note(
      `A new code comes ${place}, at least a minute after the last one. Until then, the last one stays valid.`,
    );
  }
}

const INPUT_OF: Readonly<Record<string, string>> = {
  "/email": "email",
  "/code": "code",
  "/password": "password",
  "/new_password": "newPassword",
};

/**
 * Repeats an attempt until the provider accepts it. Each attempt asks for missing input. After a rejection,
 * prints the reasons and clears the wrong input. Throws the error if a value in `given` is wrong, because the
 * human cannot enter that value again.
 */
export async function untilValid<Input extends Record<string, string | undefined>>(
  session: Session,
  given: Input,
  attempt: (input: Input) => Promise<void>,
): Promise<Input> {
  const input = { ...given };
  for (;;) {
    try {
      await attempt(input);
      return input;
    } catch (error) {
      if (!isInvalid(error) || !session.prompt.isAvailable) throw error;
      const wrong = wrongInputs(error);
      if (wrong.length === 0 || wrong.some((name) => given[name] !== undefined)) throw error;
      printReasons(session, error);
      for (const name of wrong) delete input[name];
    }
  }
}

function wrongInputs({ errors }: WireroomError): string[] {
  return errors.flatMap(({ instancePath }) => INPUT_OF[instancePath] ?? []);
}

export function isInvalid(error: unknown): error is WireroomError {
  return error instanceof WireroomError && error.code === "VALIDATION_ERROR";
}

export function printReasons({ output }: Session, { errors, message }: WireroomError): void {
  const reasons = errors.map((reason) =>
    `${reason.instancePath
      .slice(1)
      .replace(/^slug$/, "name")
      .replaceAll("_", " ")} ${reason.message}`.trim(),
  );
  for (const reason of reasons.length > 0 ? reasons : [message])
    output.note(output.paintNote("yellow", oneLine(reason)));
}
