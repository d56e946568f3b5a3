import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { HEADINGS } from "../headings.js";

export const add = command({
  name: "console",
  heading: HEADINGS.human,
  description: "open the console, the daemon's web page for humans",
  help: "Prints the URL of the console, and opens it in the browser of this machine. In a pipe, only prints it.",
  examples: ["wireroom console", "wireroom console --url https://wires.example.com"],
  run: (session) => openConsole(session),
});

/** Timeout for finding the console while approvals are listed. Short, so that the list appears quickly. */
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

async function openConsole(session: Session): Promise<void> {
  const { output } = session;
  const url = await findConsole(session, "", TIMEOUT_MS);
  if (url === undefined)
    throw new Failure("NOT_FOUND", `there is no console at ${new URL(await session.url()).origin}`, [
      "Check that the daemon was not started with --no-console, and has a client at its identity provider: wireroom doctor",
    ]);
  const { openInBrowser } = await import("../../services/sign-in/browser-flow.js");
  const opened = output.isTerminal && !output.json && (await openInBrowser(url, session.env));
  output.result({ url, opened }, () => {
    output.line(url);
    if (output.isTerminal && !opened) output.note("Open this address in a browser.");
  });
}
