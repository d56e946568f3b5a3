/** `wireroom inbox -i`: the inbox on the whole terminal. */
import type { Session } from "../../session.js";
import { loadViews } from "../../views/kit/load.js";

/** Shows it until the person leaves. Throws `NO_TERMINAL` in a pipe, and what ends the reading, such as a revoked key. */
export async function runInbox(session: Session): Promise<void> {
  const { showInbox } = await loadViews(() => import("../../views/inbox/show.js"));
  await showInbox(session);
}
