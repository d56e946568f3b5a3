/** Implements `wireroom signup` and `wireroom password set`, which confirm an address by a code. */
import { WireroomError } from "../../../sdk/src/api.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import {
  type CredentialFlags,
  isInvalid,
  printCodeLocation,
  printCodeSent,
  promptCode,
  promptNewPassword,
  readEmail,
  readGivenPassword,
  readPassword,
  type SentCode,
  untilValid,
} from "./credentials.js";
import { requestJson } from "./http.js";
import { ownProvider, type PublishedProvider } from "./provider-discovery.js";
import { prepareProfile, saveSignIn } from "./stored-sign-in.js";

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

/** Sets an address and a password for an account that signs in on the daemon's machine without a password. */
export async function setPassword(session: Session, flags: SignUpFlags): Promise<void> {
  const provider = await ownProvider(session);
  const renew = await session.idTokenSource();
  const idToken = await renew();
  const finish = async ({ email }: Credentials) => {
    // Replace the ID token, because it still contains the former address.
    await renew(idToken);
    const sentence = `the account has the address ${oneLine(email)} and a password now`;
    session.output.result({ email, status: "set" }, () => session.output.success(sentence, "set"));
  };
  const headers = { authorization: `Bearer ${idToken}` };
  await run(session, flags, { command: "password set", provider, headers, finish });
}

async function run(session: Session, flags: SignUpFlags, signUp: SignUp): Promise<void> {
  if (flags.resend || flags.code !== undefined) return continueSignUp(session, flags, signUp);
  const { command, provider, finish } = signUp;
  const credentials = await requestAccount(session, flags, provider);
  const sent = confirmationCode(provider, credentials);
  if (!session.prompt.isAvailable) return printCodeSent(session, sent, command);
  await printCodeLocation(session, sent);
  const given: { code?: string } = {};
  await untilValid(session, given, async (input) => {
    input.code ??= await promptCode(session, sent);
    await confirm(signUp, credentials, input.code);
  });
  await finish(credentials);
}

async function confirm({ provider, headers }: SignUp, credentials: Credentials, code: string): Promise<void> {
  await requestJson(`${provider.issuer}/confirm`, { ...credentials, code }, headers);
}

/** Continues a sign-up in a script or after an interruption: sends a new code, or confirms the account. */
async function continueSignUp(session: Session, flags: SignUpFlags, signUp: SignUp): Promise<void> {
  const email = await readEmail(session, flags);
  if (!flags.resend) session.hintNames.email = email;
  const credentials = { email, password: await readPassword(session, flags) };
  if (flags.resend) {
    const sent = confirmationCode(signUp.provider, credentials);
    await sent.request();
    return printCodeSent(session, sent, signUp.command);
  }
  await confirm(signUp, credentials, flags.code!);
  await signUp.finish(credentials);
}

function confirmationCode(provider: PublishedProvider, credentials: Credentials): SentCode {
  return {
    email: credentials.email,
    provider,
    exception: "If the address already has an account, no code is sent. Sign in: wireroom login",
    request: () => requestJson(`${provider.issuer}/resend`, credentials),
  };
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

export async function signInAfterConfirm(
  session: Session,
  credentials: Credentials,
  provider: PublishedProvider,
  isReset = false,
): Promise<void> {
  const email = oneLine(credentials.email);
  const [status, sentence] = isReset
    ? ["changed", `changed the password of ${email}`]
    : ["confirmed", `confirmed ${email}`];
  const { connect, signInWithPassword } = await import("./provider.js");
  const connected = await connect(provider, await session.url());
  if (connected.hasPasswordGrant)
    return saveSignIn(
      session,
      await signInWithPassword(connected, credentials),
      isReset ? `${sentence}; ` : "",
    );
  const { output } = session;
  output.result({ email: credentials.email, status }, () => output.success(sentence, status));
  output.nextSteps("wireroom login");
}
