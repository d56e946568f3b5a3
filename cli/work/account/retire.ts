/** `wireroom handle retire` */
import { changedWithout } from "../../profiles/acting.js";
import type { Session } from "../../session.js";
import { ownHandle } from "./handles.js";

export async function retireHandle(session: Session, name: string): Promise<void> {
  const { output, ask } = session;
  const client = await session.dashboard();
  const { id, slug } = await ownHandle(client, name);
  const { keys } = await client.keys.list();
  await ask.confirmByTyping(
    [
      `@${slug} is retired for good.`,
      "Its keys are revoked, its profile is emptied, it leaves its spaces and contacts,",
      "and its name is never given out again. Its wires stay with those who can read them.",
    ].join("\n"),
    slug,
  );
  const body = await client.handles.retire({ slug });
  const prefixes = keys.filter(({ handle_id }) => handle_id === id).map(({ prefix }) => prefix);
  await session.changeProfile((profile) => changedWithout(profile, slug, prefixes));
  output.result(body, () => output.done(`@${slug} is retired`, slug));
}
