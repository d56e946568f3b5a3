/** The human's dashboard. To add a noun, create a file in this folder and add it to `nounsOf`. */
import type { Wireroom } from "../../../sdk/src/api.js";
import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import type { AnyNoun } from "../list-detail/noun.js";
import { ListDetailView } from "../list-detail/view.js";
import { accountNoun } from "./account.js";
import { approvalsNoun } from "./approvals.js";
import { auditNoun } from "./audit.js";
import { connectionsNoun } from "./connections.js";
import { egressNoun } from "./egress.js";
import { handlesNoun } from "./handles.js";
import { keysNoun } from "./keys.js";
import { limitsNoun } from "./limits.js";
import type { Sources } from "./sources.js";
import { spacesNoun } from "./spaces.js";

/** Returns the nouns in the order of the menu. */
export function nounsOf(sources: Sources): AnyNoun[] {
  return [
    accountNoun(sources),
    handlesNoun(sources),
    keysNoun(sources),
    egressNoun(sources),
    approvalsNoun(sources),
    spacesNoun(sources),
    limitsNoun(sources),
    auditNoun(sources),
    connectionsNoun(sources),
  ];
}

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
      agent ??= session.agent().catch((error: unknown) => {
        // Do not cache a failure.
        agent = undefined;
        throw error;
      });
      return agent;
    },
    resetAgent() {
      agent = undefined;
    },
  };
  const nouns = nounsOf(sources);
  await runFullScreen(session, (props) => (
    <ListDetailView {...props} name="dashboard" who={email} nouns={nouns} beforeReload={sources.resetAgent} />
  ));
}
