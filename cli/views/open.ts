/** Opens a full-screen view. Commands import only this module, so that Ink is loaded only when needed. */
import type { Session } from "../session.js";

const LOAD = {
  inbox: async () => (await import("./inbox/view.js")).showInbox,
  dashboard: async () => (await import("./dashboard/view.js")).showDashboard,
} as const;

/** Shows a view until the user leaves it. Throws `NO_TERMINAL`, or the error that ended the view. */
export async function openView(session: Session, view: keyof typeof LOAD): Promise<void> {
  const show = await withEnvironment(INK_ENVIRONMENT, LOAD[view]);
  await show(session);
}

/** Environment variables that React, Ink and their libraries read while they are loaded. */
const INK_ENVIRONMENT: Environment = {
  // Selects React's production build, which is smaller and faster.
  NODE_ENV: "production",
  // Ink draws nothing if the package `is-in-ci` detects a CI server, but a view must be drawn even if `CI=1`
  // is set.
  CI: "false",
  CONTINUOUS_INTEGRATION: "false",
  // Without this variable, Chalk may omit bold and inverse. It also turns on colours, which `ScreenOutput`
  // removes again if the user disabled them.
  FORCE_COLOR: "1",
  // Node warns if both variables are set.
  NO_COLOR: undefined,
};

/** `undefined` removes a variable. */
type Environment = Readonly<Record<string, string | undefined>>;

async function withEnvironment<Result>(variables: Environment, load: () => Promise<Result>): Promise<Result> {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  setEnvironment(variables);
  try {
    return await load();
  } finally {
    setEnvironment(before);
  }
}

function setEnvironment(variables: Environment): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
