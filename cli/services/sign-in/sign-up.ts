/** Implements `wireroom signup` and `wireroom password set`, which confirm an address by a code. */
import { WireroomError } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import {
  type CredentialFlags,
  promptNewPassword,
  readEmail,
  readGivenPassword,
  readPassword,
} from "./credentials.js";
import { requestJson } from "./http.js";
import { assertOwnProvider, discoverProvider, type PublishedProvider } from "./provider-discovery.js";
import { prepareProfile, saveSignIn } from "./save.js";
import { printCodeLocation, promptCode, type SentCode } from "./sent-code.js";
import { isInvalid, printReasons, untilValid } from "./valid-input.js";

export interface SignUpFlags extends CredentialFlags {
  code?: string | undefined;
  resend?: boolean | undefined;
}

interface Credentials {
  email: string;
  password: string;
}

/** The differences between `wireroom signup` and `wireroom password set`. */
interface SignUp {
  command: string;
  provider: PublishedProvider;
  /** Headers of the request that confirms the code. */
  headers?: Record<string, string>;
  finish(credentials: Credentials): Promise<void>;
}

export async function signUp(session: Session, flags: SignUpFlags): Promise<void> {
  await prepareProfile(session);
  const provider = await ownProvider(session);
  const finish = (credentials: Credentials) => signInAfterConfirm(session, credentials, provider);
  await run(session, flags, { command: "signup", provider, finish });
}

/** Gives an account without a password, which signs in on the daemon's machine, an address and a password. */
export async function setPassword(session: Session, flags: SignUpFlags): Promise<void> {
  const provider = await ownProvider(session);
  const renew = await session.idTokenSource();
  const idToken = await renew();
  const finish = async ({ email }: Credentials) => {
    // The former token names the former address.
    await renew(idToken);
    const sentence = `the account has the address ${oneLine(email)} and a password now`;
    session.output.result({ email, status: "set" }, () => session.output.success(sentence, "set"));
  };
  const headers = { authorization: `Bearer ${idToken}` };
  await run(session, flags, { command: "password set", provider, headers, finish });
}

async function run(session: Session, flags: SignUpFlags, signUp: SignUp): Promise<void> {
  if (flags.resend || flags.code !== undefined) return continueSignUp(session, flags, signUp);
  const { provider, finish } = signUp;
  const credentials = await requestAccount(session, flags, provider);
  const code = confirmationCode(provider, credentials);
  if (!session.prompt.isAvailable) return printCodeSent(session, code, signUp);
  await printCodeLocation(session, code);
  await confirmInTerminal(session, credentials, code, signUp);
  await finish(credentials);
}

/** Continues a sign-up in a script or after an interruption: sends a new code, or confirms the account. */
async function continueSignUp(session: Session, flags: SignUpFlags, signUp: SignUp): Promise<void> {
  const { provider, headers, finish } = signUp;
  const email = await readEmail(session, flags);
  if (!flags.resend) session.hintNames.email = email;
  const credentials = { email, password: await readPassword(session, flags) };
  if (flags.resend) {
    const code = confirmationCode(provider, credentials);
    await code.request();
    return printCodeSent(session, code, signUp);
  }
  await requestJson(`${provider.issuer}/confirm`, { ...credentials, code: flags.code }, headers);
  await finish(credentials);
}

function confirmationCode(provider: PublishedProvider, credentials: Credentials): SentCode {
  return {
    email: credentials.email,
    provider,
    exception: "If the address already has an account, no code is sent. Sign in: wireroom login",
    request: () => requestJson(`${provider.issuer}/resend`, credentials),
  };
}

export async function ownProvider(session: Session): Promise<PublishedProvider> {
  const url = await session.urlForSecrets();
  const provider = await discoverProvider(url);
  if (provider.codes === undefined)
    throw new Failure(
      "USAGE",
      `this daemon uses an external identity provider: ${oneLine(provider.issuer)}`,
      ["It manages accounts and passwords. Sign in: wireroom login"],
    );
  assertOwnProvider(url, provider.issuer);
  return provider;
}

async function requestAccount(
  session: Session,
  flags: SignUpFlags,
  { issuer }: PublishedProvider,
): Promise<Credentials> {
  const given = { email: flags.email, password: await readGivenPassword(session, flags) };
  let lastEmail: string | undefined;
  const { email, password } = await untilValid(session, given, async (input) => {
    input.email ??= await readEmail(session, flags, lastEmail);
    lastEmail = input.email;
    if (input.password === undefined) {
      // Check the address first, so that the human does not enter a password twice for a rejected address.
      await checkEmail(issuer, input.email);
      input.password = await promptNewPassword(session, input.email);
    }
    await requestJson(`${issuer}/sign-up`, { email: input.email, password: input.password });
  });
  return { email: email!, password: password! };
}

/**
 * Throws `VALIDATION_ERROR` if the provider does not accept the address. The request contains no password, so
 * the provider always rejects it and sends no code.
 */
async function checkEmail(issuer: string, email: string): Promise<void> {
  try {
    await requestJson(`${issuer}/sign-up`, { email });
  } catch (error) {
    if (!isInvalid(error)) throw error;
    const errors = error.errors.filter(({ instancePath }) => instancePath === "/email");
    if (errors.length > 0) throw new WireroomError(error.message, { code: error.code, errors });
  }
}

async function confirmInTerminal(
  session: Session,
  credentials: Credentials,
  sent: SentCode,
  { headers }: SignUp,
): Promise<void> {
  for (;;) {
    const code = await promptCode(session, sent);
    try {
      await requestJson(`${sent.provider.issuer}/confirm`, { ...credentials, code }, headers);
      return;
    } catch (error) {
      if (!isInvalid(error)) throw error;
      printReasons(session, error);
    }
  }
}

async function printCodeSent(session: Session, code: SentCode, { command }: SignUp): Promise<void> {
  const { output } = session;
  const { email } = code;
  output.result({ email, status: "code_sent" }, () => output.success(`sent a code to ${email}`, "code_sent"));
  await printCodeLocation(session, code);
  output.note(`Then: wireroom ${command} --email ${email} --code CODE --password-stdin`);
}

export async function signInAfterConfirm(
  session: Session,
  credentials: Credentials,
  provider: PublishedProvider,
  { status, sentence } = { status: "confirmed", sentence: `confirmed ${oneLine(credentials.email)}` },
): Promise<void> {
  const { connect, signInWithPassword } = await import("./provider.js");
  const connected = await connect(provider, await session.url());
  if (connected.hasPasswordGrant)
    return saveSignIn(session, await signInWithPassword(connected, credentials));
  const { output } = session;
  output.result({ email: credentials.email, status }, () => output.success(sentence, status));
  output.nextSteps("wireroom login");
}
