/** `wireroom login`: which way to sign in, and what a person sees on it. */
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { SignIn } from "../../profiles/profile.js";
import type { Session } from "../../session.js";
import { askPassword, type CredentialFlags, emailOf, givenPassword } from "./credentials.js";
import { checkProfile, keepSignIn } from "./keep.js";
import type { Provider } from "./provider.js";
import { checkOwnProvider, type ProviderFlags, type Published, publishedProvider } from "./published.js";

export interface SignInFlags extends CredentialFlags, ProviderFlags {
  browser?: boolean | undefined;
  device?: boolean | undefined;
}

/** Wrong passwords until the command gives up. */
const MAX_ATTEMPTS = 3;

export async function signIn(session: Session, flags: SignInFlags): Promise<void> {
  await checkProfile(session);
  const url = await session.url();
  const published = await publishedProvider(url, flags);
  const isOwn = published.codes !== undefined;
  const inBrowser = flags.browser || flags.device || !isOwn;
  if (inBrowser) checkBrowserFlags(session, flags, published);
  else checkOwnProvider(url, published.issuer);
  const { connect } = await import("./provider.js");
  const provider = await connect(published, url);
  const signedIn = inBrowser
    ? await throughBrowser(session, flags, provider)
    : await throughTerminal(session, flags, provider);
  await keepSignIn(session, signedIn);
}

function checkBrowserFlags(session: Session, flags: SignInFlags, { issuer }: Published): void {
  if (flags.email !== undefined || flags.passwordStdin)
    throw new Failure("USAGE", `e-mail and password are asked for by ${oneLine(issuer)}, in the browser`, [
      "Leave --email and --password-stdin out.",
    ]);
  if (flags.browser || flags.device || session.ask.possible) return;
  throw new Failure("NO_TERMINAL", "there is no terminal on which to say where to sign in", [
    "Give --device or --browser to sign in all the same; what to do is written to standard error.",
    "A script uses an API key (WIREROOM_API_KEY), or a token of its own (WIREROOM_ID_TOKEN).",
  ]);
}

async function throughTerminal(session: Session, flags: SignInFlags, provider: Provider): Promise<SignIn> {
  const [{ signInWithPassword }, { GrantRefused }] = await Promise.all([
    import("./provider.js"),
    import("./provider-errors.js"),
  ]);
  const { signIn: before } = await session.profile();
  const email = await emailOf(session, flags, before?.email);
  const given = await givenPassword(session, flags);
  for (let attempts = 1; ; attempts++) {
    try {
      return await signInWithPassword(provider, { email, password: given ?? (await askPassword(session)) });
    } catch (error) {
      if (!(error instanceof GrantRefused) || given !== undefined || attempts === MAX_ATTEMPTS) throw error;
      session.output.note(session.output.paintNote("yellow", `${error.message}: try again`));
    }
  }
}

async function throughBrowser(session: Session, flags: SignInFlags, provider: Provider): Promise<SignIn> {
  const say = (text: string) => void session.surroundings.stderr.write(`${text}\n`);
  say(`Signing in at ${oneLine(provider.issuer)} (client ${oneLine(provider.clientId)})`);
  if (flags.device || (!flags.browser && provider.deviceEndpoint !== undefined)) {
    const { signInWithDevice } = await import("./with-device.js");
    return signInWithDevice(provider, ({ userCode, url, completeUrl }) => {
      say(`\n  Open        ${oneLine(completeUrl ?? url)}`);
      say(`  Your code   ${oneLine(userCode)}\n`);
      say("Waiting until you have signed in there …");
    });
  }
  const { openInBrowser, signInWithBrowser } = await import("./with-browser.js");
  return signInWithBrowser(provider, async (url) => {
    const isOpen = await openInBrowser(url, session.env);
    say(
      `\n${isOpen ? "Your browser opens. Otherwise open" : "Open"} this address on this machine:\n  ${url}\n`,
    );
    say("Waiting until you have signed in there …");
  });
}
