/** Brings the inbox's controller and its view together. */
import { InboxController } from "../inbox/controller.js";
import type { Session } from "../session.js";
import { InboxView } from "./inbox.js";
import { checkTerminal, showFullScreen } from "./kit/full-screen.js";

/** Shows the inbox of the handle that acts until the person leaves. */
export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json"]);
  const client = await session.agent();
  const { slug: me } = await client.profile.get();
  await showFullScreen(session, (size) => new InboxController({ client, me, size }), InboxView);
}
