/** Declares `wireroom console`, which opens the web console signed in. */
import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";

interface ConsoleFlags {
  print?: true;
}

export const add = command<ConsoleFlags>({
  name: "console",
  description: "open the console, the daemon's web page for humans",
  options: (command) => command.option("--print", "only print the URL"),
  help: `\
Prints the URL of the console, and opens it in the browser of this machine. In a pipe, only prints it. If the profile is signed
in at the embedded identity provider, the URL signs the browser in: once, and within a minute.`,
  examples: ["wireroom console", "wireroom console --url https://wires.example.com --print"],
  run: (session, flags) => openConsole(session, flags),
});

/**
 * Timeout for finding the console while approvals are listed. It is short, so that the list appears quickly.
 */
const TIMEOUT_IN_LIST_MS = 2_000;
const TIMEOUT_MS = 30_000;

/** Returns the URL of a console page, such as `/approvals`, or undefined if the daemon serves no console. */
export async function consoleUrl(session: Session, path = ""): Promise<string | undefined> {
  return findConsole(session, path, TIMEOUT_IN_LIST_MS).catch(() => undefined);
}

async function findConsole(session: Session, path: string, timeoutMs: number): Promise<string | undefined> {
  const url = new URL(`/console${path}`, await session.url());
  const { withConnectionErrors } = await import("../../services/sign-in/http.js");
  const { status } = await withConnectionErrors(url, timeoutMs, (signal) =>
    fetch(url, { method: "HEAD", signal }),
  );
  return status === 200 ? url.href : undefined;
}

/** Returns a URL that signs the browser in, or undefined without a sign-in at the embedded provider. */
async function ticketUrl(session: Session): Promise<string | undefined> {
  const { signIn } = await session.profile();
  const isGiven = Boolean(session.env.WIREROOM_ID_TOKEN);
  if (!isGiven && !signIn) {
    if (session.output.isTerminal)
      session.output.note(
        "You are not signed in. To open the console signed in, first run: wireroom init (on the daemon's machine), or: wireroom login",
      );
    return undefined;
  }
  const [{ requestJson }, { WireroomError }] = await Promise.all([
    import("../../services/sign-in/http.js"),
    import("../../../sdk/src/api.js"),
  ]);
  try {
    const idToken = isGiven ? await session.idToken() : await (await session.idTokenSource())();
    const { origin } = new URL(await session.urlForSecrets());
    const headers = { authorization: `Bearer ${idToken}` };
    return ((await requestJson(`${origin}/identity/console-ticket`, {}, headers)) as { url: string }).url;
  } catch (error) {
    // An external provider signs in with its own page, which needs no ticket.
    if (error instanceof WireroomError && error.code === "NOT_FOUND") return undefined;
    if (!(error instanceof Failure || (error instanceof WireroomError && error.code === "FORBIDDEN")))
      throw error;
    session.output.note(`Sign in on the page, because ${error.message}.`);
    return undefined;
  }
}

async function openConsole(session: Session, { print }: ConsoleFlags): Promise<void> {
  const { output } = session;
  const page = await findConsole(session, "", TIMEOUT_MS);
  const ticket = page && (await ticketUrl(session));
  const url = ticket ?? page;
  if (url === undefined)
    throw new Failure("NOT_FOUND", `there is no console at ${new URL(await session.url()).origin}`, [
      "Check that the daemon was not started with --no-console, and has a client at its identity provider: wireroom doctor",
    ]);
  const { openInBrowser } = await import("../../services/sign-in/browser-flow.js");
  const opened = !print && output.isTerminal && !output.json && (await openInBrowser(url, session.env));
  output.result({ url, opened }, () => {
    output.line(url);
    if (ticket !== undefined && !opened)
      output.note("This address signs a browser in. It works once, within 60 seconds.");
    else if (output.isTerminal && !opened) output.note("Open this address in a browser.");
  });
}
