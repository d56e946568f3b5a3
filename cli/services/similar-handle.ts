import type { Session } from "../session.js";
import { closestWord } from "./call/closest-word.js";

/** One page of the newest contacts. */
const MAX_CONTACTS = 100;

/** Returns the own handle or contact whose name is most like one that does not exist. Never throws. */
export async function similarHandle(session: Session, name: string): Promise<string | undefined> {
  const { keys = {} } = await session.profile();
  const found = await Promise.allSettled([
    session.dashboard().then(async (human) => (await human.handles.list()).handles.map(({ slug }) => slug)),
    session.agent().then(async (agent) => {
      const { contacts } = await agent.contacts.list({ limit: MAX_CONTACTS });
      return contacts.map(({ handle }) => handle);
    }),
  ]);
  const known = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  return closestWord(name, [...Object.keys(keys), ...known]);
}
