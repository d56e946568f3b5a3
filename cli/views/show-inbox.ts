/** Brings the inbox's controller and its view together. */
import { InboxController } from "../inbox/controller.js";
import { Directory } from "../inbox/directory.js";
import type { Session } from "../session.js";
import { InboxView } from "./inbox.js";
import { checkTerminal, showFullScreen } from "./kit/full-screen.js";

/** Shows the inbox of the handle that acts until the person leaves. */
export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json"]);
  const client = await session.agent();
  const { id, slug } = await client.profile.get();
  const directory = new Directory({ id, slug });
  await showFullScreen(
    session,
    (size) => new InboxController({ client, session, directory, size }),
    InboxView,
  );
}
