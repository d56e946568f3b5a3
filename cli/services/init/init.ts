/** Implements `wireroom init`. Each step does nothing if its result exists, so that it can run again. */
import type { DaemonState } from "../../../daemon/local/folder.js";
import { type Handle, WireroomError } from "../../../sdk/src/api.js";
import { Failure, Interrupted } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { setFirstHandle } from "../../profiles/active-handle.js";
import { exportUrl, handleSlug, isLocalAccount, isLoopback, signInHint } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { pointProfileAt } from "../daemon/profile-url.js";
import { publicUrlHints, runningDaemon } from "../daemon/running.js";
import { ensureStarted } from "../daemon/start.js";
import { printReasons } from "../sign-in/credentials.js";
import { localUser, signInLocally } from "../sign-in/local.js";
import { storeSignIn } from "../sign-in/stored-sign-in.js";
import { type HostFlags, setUpHosts } from "./hosts.js";

export interface InitFlags extends HostFlags {
  dataDir?: string | undefined;
  yes?: boolean | undefined;
}

export async function initialise(session: Session, flags: InitFlags, name?: string): Promise<void> {
  try {
    await setUp(session, flags, name);
  } catch (error) {
    if (error instanceof Interrupted)
      session.output.note("Stopped. What is done stays; wireroom init does the rest.");
    throw error;
  }
}

async function setUp(session: Session, flags: InitFlags, name?: string): Promise<void> {
  const { output } = session;
  const done = (sentence: string) => output.note(`${output.paintNote("green", "✓")} ${oneLine(sentence)}`);
  await assertOnThisMachine(session, flags);
  const { state, ranAlready, settings } = await ensureStarted(session, { dataDir: flags.dataDir });
  const { dataDir } = settings;
  if (!ranAlready) done("started the daemon");
  await pointAtDaemon(session, state, dataDir);

  const signedIn = await ensureSignedIn(session, state, dataDir);
  if (signedIn.isNew) done(`signed in as ${signedIn.email}, without a password`);

  const handle = await ensureHandle(session, flags, name);
  if (handle.isNew) done(`created @${handle.slug}`);

  const { setups: hosts, hasRefused } = await setUpHosts(session, flags);
  const isNew = !ranAlready || signedIn.isNew || handle.isNew || hosts.some(({ files }) => files.length > 0);
  if (!isNew && !hasRefused) output.note("Everything is set up already.");
  const { consoleUrlOf } = await import("../../../daemon/local/running-settings.js");
  const console_url = consoleUrlOf(state);
  const { base_url } = state;
  const { email } = signedIn;
  const body = {
    ...{ base_url, console_url, started: !ranAlready, email, signed_in: signedIn.isNew },
    ...{ handle: handle.slug, created: handle.isNew, hosts },
  };
  output.result(body, () => {
    if (output.isTerminal) output.note("");
    output.fields([
      ["daemon", base_url],
      ["console", console_url ?? undefined],
      ["account", email],
      ["handle", `@${handle.slug}`],
    ]);
  });
  const { handle: active } = await session.profile();
  if (active !== undefined && active !== handle.slug)
    output.note(`@${active} stays the active handle. To switch: wireroom handle use @${handle.slug}`);
  output.nextSteps(
    ...(await nextSteps(session, handle)),
    ...(console_url === null ? [] : ["wireroom console   # opens the console, signed in"]),
    `export WIREROOM_API_KEY=$(wireroom key issue @${handle.slug})   # a key for a program`,
    ...exportUrl(base_url),
  );
}

async function assertOnThisMachine(session: Session, { dataDir }: InitFlags): Promise<void> {
  const url = await session.url();
  const running = await runningDaemon(session);
  if (running?.base_url === url) return;
  if (isLoopback(new URL(url).hostname)) {
    const setting = urlSetting(session);
    if (running !== undefined || dataDir !== undefined || setting === undefined) return;
    throw new Failure("USAGE", `no daemon of this machine runs at ${url}`, [
      `Start it: wireroom up --port ${new URL(url).port || 80}`,
      `Or leave out ${setting}: wireroom init starts the daemon.`,
    ]);
  }
  throw new Failure("USAGE", `${url} is not a daemon of this machine, and wireroom init sets up only those`, [
    "Create an account at that daemon: wireroom signup (or sign in: wireroom login)",
    "Then create a handle: wireroom handle create NAME",
    "To set up this machine, use another profile: --profile NAME",
  ]);
}

/** Stores the daemon's address in the profile. Throws `USAGE` if the command would call another daemon. */
async function pointAtDaemon(session: Session, state: DaemonState, dataDir: string): Promise<void> {
  const { base_url } = state;
  const hints = await pointProfileAt(session, base_url, dataDir);
  const url = await session.url();
  if (hints.length > 0) throw new Failure("USAGE", `the daemon of this machine is at ${base_url}`, hints);
  if (url === base_url) return;
  const setting = urlSetting(session);
  throw new Failure("USAGE", `the daemon of this machine is at ${base_url}, but ${setting} is ${url}`, [
    `Leave out ${setting}.`,
    ...publicUrlHints(state),
  ]);
}

/**
 * Returns the flag or variable that sets the daemon's URL, or undefined if the URL comes from the profile.
 */
function urlSetting({ flags, env }: Session): string | undefined {
  if (flags.url !== undefined) return "--url";
  return env.WIREROOM_URL ? "WIREROOM_URL" : undefined;
}

interface Account {
  email: string;
  /** True if this command has signed in. */
  isNew: boolean;
}

async function ensureSignedIn(session: Session, state: DaemonState, dataDir: string): Promise<Account> {
  const { signIn, lastEmail } = await session.profile();
  if (signIn || session.env.WIREROOM_ID_TOKEN) {
    try {
      const { email } = await (await session.dashboard()).account.get();
      return { email, isNew: false };
    } catch (error) {
      if (!signIn || !hasEnded(error)) throw error;
    }
  }
  // Ask first, because a local sign-in leads to another account, which cannot use the former account's
  // handles and keys.
  const former = signIn?.email ?? lastEmail;
  if (former !== undefined && !isLocalAccount(former)) {
    session.output.note(signInHint(state.base_url, { lastEmail: former }));
    await session.prompt.confirm(
      `The sign-in of ${oneLine(former)} has ended. Sign in to another account, without a password?`,
    );
  }
  const { email } = await storeSignIn(session, await signInLocally(state, dataDir));
  return { email, isNew: true };
}

function hasEnded(error: unknown): boolean {
  return error instanceof Failure
    ? error.code === "SIGN_IN_FAILED"
    : error instanceof WireroomError && ["UNAUTHORIZED", "FORBIDDEN"].includes(error.code);
}

interface OwnHandle {
  slug: string;
  /** True if this command has created it. */
  isNew: boolean;
  /** Another handle of the account. */
  other: string | undefined;
}

async function ensureHandle(session: Session, { yes }: InitFlags, name?: string): Promise<OwnHandle> {
  const client = await session.dashboard();
  const own: string[] = [];
  for await (const { slug } of client.handles.list()) own.push(slug);
  const { handle: active } = await session.profile();
  const wanted = name === undefined ? (own.includes(active ?? "") ? active : own[0]) : handleSlug(name);
  const slug =
    wanted !== undefined && own.includes(wanted) ? wanted : (await createHandle(session, yes, wanted)).slug;
  await setFirstHandle(session, slug);
  return { slug, isNew: !own.includes(slug), other: own.find((each) => each !== slug) };
}

/** On a terminal, asks for the slug unless it is given, and again if the service does not accept it. */
async function createHandle(
  session: Session,
  yes: boolean | undefined,
  given: string | undefined,
): Promise<Handle> {
  const { prompt } = session;
  const client = await session.dashboard();
  const asks = prompt.isAvailable && !yes;
  let slug = given;
  let suggestion = defaultSlug();
  for (;;) {
    slug ??= asks
      ? handleSlug(await prompt.text("Name of your first handle", "HANDLE", suggestion))
      : suggestion;
    try {
      return await client.handles.create({ slug });
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "VALIDATION_ERROR") throw error;
      if (error.errors[0]?.keyword === "slug") suggestion = `${slug.slice(0, MAX_SLUG - 2)}-2`;
      if (!asks)
        throw new Failure(
          "USAGE",
          `cannot create @${oneLine(slug)}: ${error.errors[0]?.message ?? error.message}`,
          [`Choose another name: wireroom init ${suggestion}`],
        );
      printReasons(session, error);
      slug = undefined;
    }
  }
}

const MIN_SLUG = 3;
const MAX_SLUG = 32;

function defaultSlug(): string {
  const name = localUser().slice(0, MAX_SLUG);
  // Slugs that contain `wireroom` are reserved, and a service may run as a user of that name.
  return name.length < MIN_SLUG || name.includes("wireroom") ? "agent" : name;
}

async function nextSteps(session: Session, { slug, other }: OwnHandle): Promise<string[]> {
  const { handle: active } = await session.profile();
  const as = active === slug ? "" : ` --as @${slug}`;
  if (other !== undefined) return [`wireroom send @${other} hello${as}`, `wireroom inbox${as}`];
  const second = slug === "bob" ? "alice" : "bob";
  return [
    `wireroom handle create ${second}`,
    `wireroom send @${second} "Will it rain in Oslo?"`,
    `wireroom inbox --as @${second}`,
  ];
}
