/** Tells the human where a code arrives, and asks for it. */
import type { Session } from "../../session.js";
import { calledDaemon } from "../daemon/running.js";
import type { PublishedProvider } from "./provider-discovery.js";

export interface SentCode {
  email: string;
  provider: PublishedProvider;
  /** When the provider sends no code, and what to do then. */
  exception: string;
  /** Requests a code. The provider refuses a second request within a short time. */
  request(): Promise<unknown>;
}

/** Prints where the human finds a code. A daemon without a mail server writes codes to its log. */
export async function printCodeLocation(session: Session, code: SentCode): Promise<void> {
  const { output, prompt } = session;
  if (code.provider.codes === "log") {
    const hasLogFile = Boolean((await calledDaemon(session))?.log_file);
    const place = prompt.isAvailable ? " in another terminal" : "";
    output.note("This daemon has no mail server, so the code is in its log.");
    output.note(
      hasLogFile
        ? `Read the log${place}: wireroom logs`
        : "Read the log in the terminal where the daemon runs, or in the journal of its service.",
    );
  } else output.note(`A code was sent to ${code.email}. It is valid for 10 minutes.`);
  output.note(output.paintNote("dim", code.exception));
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
