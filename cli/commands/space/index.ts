import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { addSpaceMemberCommands } from "./members.js";
import { addSpaceSettingCommands } from "./settings.js";
import { addSpaceWireCommands } from "./wires.js";

/** `wireroom space …`: rooms. */
export function addSpaceCommands(program: Command): void {
  const space = program
    .command("space")
    .helpGroup(HEADINGS.agent)
    .description(
      "rooms: their rules, their wires, their members (named without #, which the shell would take)",
    );
  addSpaceSettingCommands(space);
  addSpaceWireCommands(space);
  addSpaceMemberCommands(space);
}
