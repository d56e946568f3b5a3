import type { Wireroom } from "../../../sdk/src/index.js";
import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import type { Sources } from "./pane.js";
import { DashboardView } from "./view.js";

/** Shows the signed-in human's dashboard until the user leaves it. */
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
      if (agent) return agent;
      const created = session.agent();
      agent = created;
      // A failure is not kept.
      created.catch(() => {
        if (agent === created) agent = undefined;
      });
      return created;
    },
    resetAgent() {
      agent = undefined;
    },
  };
  await runFullScreen(session, <DashboardView sources={sources} email={email} />);
}
