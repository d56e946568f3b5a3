/** Brings the dashboard's controller and its view together. */
import type { Wireroom } from "../../../sdk/src/index.js";
import type { Session } from "../../session.js";
import { checkTerminal, showFullScreen } from "../kit/full-screen.js";
import { DashboardController } from "./controller.js";
import type { Sources } from "./pane.js";
import { DashboardView } from "./view.js";

/** Shows the human's view until the person leaves. */
export async function showDashboard(session: Session): Promise<void> {
  checkTerminal(session, "dashboard", ["wireroom whoami", "wireroom handle list", "wireroom key list"]);
  const human = await session.dashboard();
  const { email } = await human.account.get();
  let agent: Promise<Wireroom> | undefined;
  const sources: Sources = {
    session,
    human,
    handles: new Map(),
    agent() {
      agent ??= session.agent();
      return agent;
    },
    changeAgent() {
      agent = undefined;
    },
  };
  await showFullScreen(session, (size) => new DashboardController({ sources, email, size }), DashboardView);
}
