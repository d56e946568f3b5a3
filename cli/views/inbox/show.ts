/** Brings the inbox's controller and its view together. */

import type { Session } from "../../session.js";
import { checkTerminal, showFullScreen } from "../kit/full-screen.js";
import { InboxController } from "./controller.js";
import { InboxView } from "./view.js";

/** Shows the inbox of the handle that acts until the person leaves. */
export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json"]);
  const client = await session.agent();
  const { slug: me } = await client.profile.get();
  await showFullScreen(session, (size) => new InboxController({ client, me, size }), InboxView);
}
