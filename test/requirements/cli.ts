/** What people and scripts may expect of the command line. */
import { cliAgentRequirements } from "./cli/agent.js";
import { cliDaemonRequirements } from "./cli/daemon.js";
import { cliHumanRequirements } from "./cli/human.js";
import { cliViewRequirements } from "./cli/views.js";

export const cliRequirements: Readonly<Record<string, string>> = {
  ...cliHumanRequirements,
<<<<<<< HEAD
  ...cliAgentRequirements,
  ...cliDaemonRequirements,
=======
  ...cliViewRequirements,
>>>>>>> wt/cli-views
};
