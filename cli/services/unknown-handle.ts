/** Suggests handles that the user may have meant instead of an unknown one, for hints below the error. */

import { similarHint } from "../../daemon/closest-word.js";
import { shellQuoted } from "../output/shell-quote.js";
import type { Session } from "../session.js";
import { isRetired } from "./own-handle.js";

/** One page of the newest contacts. */
const MAX_CONTACTS = 100;

/** Compares the name with the own handles and the contacts. Skips what cannot be read, and never throws. */
export async function unknownHandleHints(session: Session, slug: string): Promise<string[]> {
  const human = session.dashboard();
  const agent = session.agent();
  const [retired, space, ...lists] = await Promise.allSettled([
    human.then((client) => isRetired(client, slug)),
    agent.then((client) => client.spaces.get({ slug })),
    session.profile().then(({ keys = {} }) => Object.keys(keys)),
    human.then((client) => client.handles.list()).then(({ handles }) => handles.map((own) => own.slug)),
    agent
      .then((client) => client.contacts.list({ limit: MAX_CONTACTS }))
      .then(({ contacts }) => contacts.map(({ handle }) => handle)),
  ]);
  if (retired.status === "fulfilled" && retired.value)
    return [`You have retired @${slug}, and its name cannot be used again.`];
  if (session.hintNames.mayBeSpace && space.status === "fulfilled")
    return [`If you mean the space, quote it: ${shellQuoted(`#${slug}`)}`];
  return similarHint(
    slug,
    lists.flatMap((list) => (list.status === "fulfilled" ? list.value : [])),
    "@",
  );
}
