/** Opens a full-screen view. Commands import only this module, so that Ink is loaded only when needed. */
import type { Session } from "../session.js";

const LOAD = {
  inbox: async () => (await import("./inbox/view.js")).showInbox,
  dashboard: async () => (await import("./dashboard/dashboard.js")).showDashboard,
} as const;

/** Shows a view until the user leaves it. Throws `NO_TERMINAL`, or the error that ended the view. */
export async function openView(session: Session, view: keyof typeof LOAD): Promise<void> {
  const { env } = process;
  const { NO_COLOR: _, ...others } = env;
  process.env = { ...others, ...INK_ENVIRONMENT };
  const show = await LOAD[view]().finally(() => {
    process.env = env;
  });
  await show(session);
}

/** Environment variables that React, Ink and their libraries read while they are loaded. */
const INK_ENVIRONMENT = {
  // Selects React's production build, which is smaller and faster.
  NODE_ENV: "production",
  // Ink draws nothing if the package `is-in-ci` detects a CI server, but a view must be drawn even if `CI=1`
  // is set.
  CI: "false",
  CONTINUOUS_INTEGRATION: "false",
  // Without this variable, Chalk may omit bold and inverse. It also turns on colours, which `ScreenOutput`
  // removes again if the user disabled them. Node warns if `NO_COLOR` is set, too.
  FORCE_COLOR: "1",
};
