/** What people and scripts may expect of the command line. */
import { cliDaemonRequirements } from "./cli/daemon.js";
import { cliHumanRequirements } from "./cli/human.js";

export const cliRequirements: Readonly<Record<string, string>> = {
  ...cliHumanRequirements,
  ...cliDaemonRequirements,
};
