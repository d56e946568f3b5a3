/** `wireroom signup`, step by step: e-mail and password, the code, the sign-in. */
import { WireroomError } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import { codeInTheLog } from "./code-in-the-log.js";
import { askNewPassword, type CredentialFlags, emailOf, givenPassword } from "./credentials.js";
import { ask } from "./http.js";
import { checkProfile, keepSignIn } from "./keep.js";
import { checkOwnProvider, type Published, publishedProvider } from "./published.js";

export interface SignUpFlags extends CredentialFlags {
  code?: string | undefined;
  resend?: boolean | undefined;
}

interface Credentials {
  email: string;
  password: string;
}

export async function signUp(session: Session, flags: SignUpFlags): Promise<void> {
  await checkProfile(session);
  const provider = await ownProvider(session);
  if (flags.resend) return resend(session, flags, provider);
  if (flags.code !== undefined) return confirm(session, flags, flags.code, provider);
  const asked = now();
  const credentials = await request(session, flags, provider);
  if (!session.ask.possible) return codeSent(session, credentials.email, provider, asked);
  await sayWhereTheCodeIs(session, credentials.email, provider, asked);
  await askCode(session, credentials.email, provider);
  await enter(session, credentials, provider);
}

async function ownProvider(session: Session): Promise<Published> {
  const url = await session.url();
  const provider = await publishedProvider(url);
  if (provider.codes === undefined)
    throw new Failure("USAGE", `accounts of this daemon are made at ${oneLine(provider.issuer)}`, [
      "Make one there, then: wireroom login",
    ]);
  checkOwnProvider(url, provider.issuer);
  return provider;
}

/** Sends e-mail and password. If the provider refuses them, shows its reasons and asks again. */
async function request(session: Session, flags: SignUpFlags, { issuer }: Published): Promise<Credentials> {
  const given = await givenPassword(session, flags);
  let last: string | undefined;
  for (;;) {
    const email = await emailOf(session, flags, last);
    const password = given ?? (await askNewPassword(session));
    try {
      await requestAccount(issuer, email, password);
      return { email, password };
    } catch (error) {
      const isFixed = flags.email !== undefined && given !== undefined;
      if (!isInvalid(error) || isFixed || !session.ask.possible) throw error;
      sayReasons(session, error);
      last = email;
    }
  }
}

/** Asks for the code until it is right. */
async function askCode(session: Session, email: string, provider: Published): Promise<void> {
  for (;;) {
    const code = await session.ask.line("Code (6 digits; nothing for a new one)", "--code CODE");
    if (code === "") {
      await sendAnother(session, email, provider);
      continue;
    }
    try {
      return await confirmAccount(provider.issuer, email, code);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      sayReasons(session, error);
    }
  }
}

async function sendAnother(session: Session, email: string, { issuer, codes }: Published): Promise<void> {
  const asked = now();
  await resendCode(issuer, email);
  const code = codes === "log" ? await codeInTheLog(session, email, asked) : undefined;
  const place = codes === "log" ? "in the daemon's log" : "on its way";
  session.output.note(
    code === undefined
      ? `A new code is ${place}, if the last one is older than 30 seconds.`
      : `The daemon's log says: ${code}`,
  );
}

/** The second command of a sign-up in a pipe; on a terminal, one that was left off. */
async function confirm(
  session: Session,
  flags: SignUpFlags,
  code: string,
  provider: Published,
): Promise<void> {
  const email = await emailOf(session, flags);
  const password = await givenPassword(session, flags);
  await confirmAccount(provider.issuer, email, code);
  if (password !== undefined) return enter(session, { email, password }, provider);
  const { output } = session;
  output.result({ email, status: "confirmed" }, () => output.done(`${email} has an account`, "confirmed"));
  output.next(`wireroom login --email ${email}`);
}

async function resend(session: Session, flags: SignUpFlags, provider: Published): Promise<void> {
  const email = await emailOf(session, flags);
  const asked = now();
  await resendCode(provider.issuer, email);
  await codeSent(session, email, provider, asked);
}

async function codeSent(session: Session, email: string, provider: Published, asked: number): Promise<void> {
  const { output } = session;
  output.result({ email, status: "code_sent" }, () =>
    output.done(`a code for ${email} was sent`, "code_sent"),
  );
  await sayWhereTheCodeIs(session, email, provider, asked);
  output.note(`Then: wireroom signup --email ${email} --code CODE --password-stdin`);
}

async function enter(session: Session, credentials: Credentials, provider: Published): Promise<void> {
  const { connect, signInWithPassword } = await import("./provider.js");
  const connected = await connect(provider, await session.url());
  await keepSignIn(session, await signInWithPassword(connected, credentials));
}

/** @param asked when the code was asked for */
async function sayWhereTheCodeIs(
  session: Session,
  email: string,
  { codes }: Published,
  asked: number,
): Promise<void> {
  const { output } = session;
  const code = codes === "log" ? await codeInTheLog(session, email, asked) : undefined;
  if (code !== undefined)
    output.note(`This daemon has no mail server; its log on this machine says: ${code}`);
  else if (codes === "log")
    output.note(
      "This daemon has no mail server: the code is in its log,\nin the terminal that it runs in, or else with: wireroom logs",
    );
  else output.note(`A code was sent to ${email}; it is valid for 10 minutes.`);
  const registered = "An address that has an account already gets no code: wireroom login";
  if (code === undefined) output.note(output.paintNote("dim", registered));
}

function isInvalid(error: unknown): error is WireroomError {
  return error instanceof WireroomError && error.code === "VALIDATION_ERROR";
}

/** The provider's words, such as `password must have at least 8 characters`. */
function sayReasons({ output }: Session, { errors, message }: WireroomError): void {
  const reasons = errors.map((reason) => `${reason.instancePath.slice(1)} ${reason.message}`.trim());
  for (const reason of reasons.length > 0 ? reasons : [message])
    output.note(output.paintNote("yellow", oneLine(reason)));
}

// The endpoints for new accounts at the daemon's own provider. Every refusal is a `WireroomError`.

/** Sends a code to the address. */
async function requestAccount(issuer: string, email: string, password: string): Promise<void> {
  await ask(`${issuer}/sign-up`, { email, password });
}

/** Creates the account. A wrong or stale code is a `VALIDATION_ERROR`. */
async function confirmAccount(issuer: string, email: string, code: string): Promise<void> {
  await ask(`${issuer}/confirm`, { email, code });
}

/** Sends a new code; does nothing within 30 s of the last one. */
async function resendCode(issuer: string, email: string): Promise<void> {
  await ask(`${issuer}/resend`, { email });
}
