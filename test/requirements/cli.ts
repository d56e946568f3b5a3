/** What people and scripts may expect of the command line. */
import { cliAgentRequirements } from "./cli/agent.js";
import { cliControlRequirements } from "./cli/control.js";
import { cliDaemonRequirements } from "./cli/daemon.js";
import { cliHumanRequirements } from "./cli/human.js";
import { cliViewRequirements } from "./cli/views.js";

export const cliRequirements: Readonly<Record<string, string>> = {
  ...cliHumanRequirements,
  ...cliAgentRequirements,
  ...cliControlRequirements,
  ...cliDaemonRequirements,
  ...cliViewRequirements,
};
