/** Asking before what cannot be undone. */
import { createInterface } from "node:readline/promises";
import { Failure, Interrupted } from "./failure.js";
import type { Session } from "./session.js";

/**
 * Asks, unless `--yes` says that it is wanted. Throws `DECLINED` for any answer but yes, and `NO_TERMINAL` where nobody
 * can be asked.
 *
 * @param question without its mark: `Delete the wire for good`
 */
export async function confirm(session: Session, question: string): Promise<void> {
  if (session.flags.yes) return;
  if (!session.canAsk)
    throw new Failure("NO_TERMINAL", "this cannot be undone, and there is no terminal to ask on", [
      "Add --yes if it is meant.",
    ]);
  const { stdin: input, stderr: output } = session.surroundings;
  const prompt = createInterface({ input, output });
  const interrupted = new Promise<never>((_, reject) => {
    prompt.once("SIGINT", () => reject(new Interrupted()));
    prompt.once("close", () => reject(new Failure("DECLINED", "not confirmed: nothing was changed")));
  });
  try {
    const answer = await Promise.race([prompt.question(`${question}? [y/N] `), interrupted]);
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Failure("DECLINED", "not confirmed: nothing was changed");
  } finally {
    interrupted.catch(() => {});
    prompt.close();
  }
}
