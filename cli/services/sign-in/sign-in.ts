/** Implements `wireroom login`: selects a sign-in method, and prints instructions. */
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";
import {
  assertHasPassword,
  type CredentialFlags,
  promptPassword,
  readEmail,
  readGivenPassword,
} from "./credentials.js";
import type { Provider } from "./provider.js";
import {
  assertOwnProvider,
  discoverProvider,
  type ProviderFlags,
  type PublishedProvider,
} from "./provider-discovery.js";
import { prepareProfile, saveSignIn } from "./stored-sign-in.js";

export interface SignInFlags extends CredentialFlags, ProviderFlags {
  browser?: boolean | undefined;
  device?: boolean | undefined;
  code?: string | undefined;
}

const MAX_ATTEMPTS = 3;

export async function signIn(session: Session, flags: SignInFlags): Promise<void> {
  await prepareProfile(session);
  const url = await session.urlForSecrets();
  const published = await discoverProvider(url, flags);
  const isOwn = published.codes !== undefined;
  if (isOwn && !flags.browser && !flags.device) assertOwnProvider(url, published.issuer);
  const { connect } = await import("./provider.js");
  const provider = await connect(published, url);
  const inBrowser = flags.browser || flags.device || !isOwn || !provider.hasPasswordGrant;
  if (inBrowser) checkBrowserFlags(session, flags, published);
  const method = inBrowser ? signInInBrowser : signInInTerminal;
  await saveSignIn(session, await method(session, flags, provider));
}

function checkBrowserFlags(session: Session, flags: SignInFlags, { issuer }: PublishedProvider): void {
  if (flags.email !== undefined || flags.passwordStdin)
    throw new Failure(
      "USAGE",
      `with this identity provider, you enter e-mail and password in the browser: ${oneLine(issuer)}`,
      ["Omit --email and --password-stdin."],
    );
  if (flags.browser || flags.device || session.prompt.isAvailable) return;
  throw new Failure("NO_TERMINAL", "cannot show sign-in instructions without a terminal", [
    "Pass --device or --browser: the instructions are then printed to standard error.",
    "In a script, use an API key (WIREROOM_API_KEY) or an ID token (WIREROOM_ID_TOKEN).",
  ]);
}

async function signInInTerminal(session: Session, flags: SignInFlags, provider: Provider): Promise<SignIn> {
  const { CodeRequired, GrantRefused, signInWithPassword } = await import("./provider.js");
  const { signIn: before, lastEmail } = await session.profile();
  let email = await readEmail(session, flags, before?.email ?? lastEmail);
  const givenPassword = await readGivenPassword(session, flags);
  let { code } = flags;
  for (let attempts = 1; ; attempts++) {
    assertHasPassword(email);
    const password = givenPassword ?? (await promptPassword(session));
    try {
      return await signInWithPassword(provider, { email, password, code });
    } catch (error) {
      if (error instanceof CodeRequired && session.prompt.isAvailable) {
        session.output.note(session.output.paintNote("yellow", error.message));
        code = await session.prompt.text("Code", "--code CODE");
        return await signInWithPassword(provider, { email, password, code });
      }
      if (!(error instanceof GrantRefused) || givenPassword !== undefined || attempts === MAX_ATTEMPTS)
        throw error;
      session.output.note(session.output.paintNote("yellow", `${error.message}; try again`));
      session.output.note("If you forgot the password, press Ctrl-C, then: wireroom password forgot");
      email = await readEmail(session, flags, email);
    }
  }
}

async function signInInBrowser(session: Session, flags: SignInFlags, provider: Provider): Promise<SignIn> {
  const print = (text: string) => void session.io.stderr.write(`${text}\n`);
  print(`Signing in at ${oneLine(provider.issuer)} (client ${oneLine(provider.clientId)})`);
  if (flags.device || (!flags.browser && provider.deviceEndpoint !== undefined)) {
    const { signInWithDevice } = await import("./provider.js");
    return signInWithDevice(provider, (device) => {
      print(`\n  Open        ${oneLine(device.verification_uri_complete ?? device.verification_uri)}`);
      print(`  Your code   ${oneLine(device.user_code)}\n`);
      print("Waiting for the sign-in …");
    });
  }
  const { openInBrowser, signInWithBrowser } = await import("./browser-flow.js");
  return signInWithBrowser(provider, async (url) => {
    const isOpen = await openInBrowser(url, session.env);
    print(
      `\n${isOpen ? "Opening your browser. If it does not open, go to" : "Open"} this address on this machine:\n  ${url}\n`,
    );
    print("Waiting for the sign-in …");
  });
}
