/** Implements `wireroom signup`: sends e-mail address and password, confirms the code, and signs in. */
import { WireroomError } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
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
import { printCodeLocation, promptCode } from "./logged-code.js";
import { assertOwnProvider, discoverProvider, type PublishedProvider } from "./provider-discovery.js";
import { assertProfileUsable, saveSignIn } from "./save.js";
import { isInvalid, printReasons, untilValid } from "./valid-input.js";

export interface SignUpFlags extends CredentialFlags {
  code?: string | undefined;
  resend?: boolean | undefined;
}

interface Credentials {
  email: string;
  password: string;
}

export async function signUp(session: Session, flags: SignUpFlags): Promise<void> {
  await assertProfileUsable(session);
  const provider = await ownProvider(session);
  if (flags.resend) return resendFromInput(session, flags, provider);
  if (flags.code !== undefined) return confirmWithCode(session, flags, flags.code, provider);
  const requestedAtMs = now();
  const credentials = await requestAccountFromInput(session, flags, provider);
  if (!session.prompt.isAvailable) return printCodeSent(session, credentials.email, provider, requestedAtMs);
  await printCodeLocation(session, credentials.email, provider, requestedAtMs, "confirmation code");
  await confirmInTerminal(session, credentials, provider);
  await signInAfterConfirm(session, credentials, provider);
}

/** Returns the embedded provider of the daemon. Throws `USAGE` for an external one. */
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

/** Asks for what the flags do not give, and again for what the provider rejects. */
async function requestAccountFromInput(
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
      // The human need not enter a password twice for an address that is not accepted.
      await checkEmail(issuer, input.email);
      input.password = await promptNewPassword(session);
    }
    await requestAccount(issuer, input.email, input.password);
  });
  return { email: email!, password: password! };
}

/** Asks for the code until the provider accepts it. */
async function confirmInTerminal(
  session: Session,
  credentials: Credentials,
  provider: PublishedProvider,
): Promise<void> {
  for (;;) {
    const code = await promptCode(session, {
      ...{ email: credentials.email, provider, message: "confirmation code" },
      request: () => resendCode(provider.issuer, credentials),
    });
    try {
      return await confirmAccount(provider.issuer, credentials, code);
    } catch (error) {
      if (!isInvalid(error)) throw error;
      printReasons(session, error);
    }
  }
}

async function confirmWithCode(
  session: Session,
  flags: SignUpFlags,
  code: string,
  provider: PublishedProvider,
): Promise<void> {
  const email = await readEmail(session, flags);
  session.hintNames.email = email;
  const credentials = { email, password: await readPassword(session, flags) };
  await confirmAccount(provider.issuer, credentials, code);
  await signInAfterConfirm(session, credentials, provider);
}

async function resendFromInput(
  session: Session,
  flags: SignUpFlags,
  provider: PublishedProvider,
): Promise<void> {
  const email = await readEmail(session, flags);
  const password = await readPassword(session, flags);
  const requestedAtMs = now();
  await resendCode(provider.issuer, { email, password });
  await printCodeSent(session, email, provider, requestedAtMs);
}

async function printCodeSent(
  session: Session,
  email: string,
  provider: PublishedProvider,
  requestedAtMs: number,
): Promise<void> {
  const { output } = session;
  output.result({ email, status: "code_sent" }, () => output.success(`sent a code to ${email}`, "code_sent"));
  await printCodeLocation(session, email, provider, requestedAtMs, "confirmation code");
  output.note(`Then: wireroom signup --email ${email} --code CODE --password-stdin`);
}

/** Signs in with credentials that the provider has just accepted, if it has the password grant. */
export async function signInAfterConfirm(
  session: Session,
  credentials: Credentials,
  provider: PublishedProvider,
  printDone = printConfirmed,
): Promise<void> {
  const { connect, signInWithPassword } = await import("./provider.js");
  const connected = await connect(provider, await session.url());
  if (!connected.hasPasswordGrant) return printDone(session, credentials.email);
  await saveSignIn(session, await signInWithPassword(connected, credentials));
}

function printConfirmed({ output }: Session, email: string): void {
  output.result({ email, status: "confirmed" }, () =>
    output.success(`confirmed ${oneLine(email)}`, "confirmed"),
  );
  output.nextSteps("wireroom login");
}

// Sign-up endpoints of the embedded provider. They throw `WireroomError`s.

/**
 * Throws `VALIDATION_ERROR` if the provider does not accept the address. The request has no password, so the
 * provider always rejects it and sends no code.
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

async function requestAccount(issuer: string, email: string, password: string): Promise<void> {
  await requestJson(`${issuer}/sign-up`, { email, password });
}

/** Creates the account. Throws `VALIDATION_ERROR` if the confirmation code or the password is wrong. */
async function confirmAccount(issuer: string, credentials: Credentials, code: string): Promise<void> {
  await requestJson(`${issuer}/confirm`, { ...credentials, code });
}

/** Requests a new confirmation code for the sign-up with this password. The provider spaces out its mails. */
async function resendCode(issuer: string, credentials: Credentials): Promise<void> {
  await requestJson(`${issuer}/resend`, credentials);
}
