/** Opens a view on the whole terminal. Commands reach the views through this module alone, so that Ink is loaded late. */
import type { Session } from "../session.js";

const LOAD = {
  inbox: async () => (await import("./inbox/show.js")).showInbox,
  dashboard: async () => (await import("./dashboard/show.js")).showDashboard,
} as const;

/** Shows a view until the person leaves. Throws `NO_TERMINAL` in a pipe, and what ends the view, such as a revoked key. */
export async function openView(session: Session, view: keyof typeof LOAD): Promise<void> {
  // React chooses its build by this variable when it is loaded; the one for development is slower and larger.
  process.env.NODE_ENV ??= "production";
  const show = await LOAD[view]();
  await show(session);
}
