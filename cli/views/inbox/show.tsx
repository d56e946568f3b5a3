import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import { InboxView } from "./view.js";

/** Shows the active handle's inbox until the user leaves it. */
export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json --ack"]);
  const client = await session.agent();
  const { slug: me } = await client.profile.get();
  await runFullScreen(session, <InboxView client={client} me={me} />);
}
