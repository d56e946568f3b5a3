import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { addSpaceMemberCommands } from "./members.js";
import { addSpaceSettingCommands } from "./settings.js";
import { addSpaceWireCommands } from "./wires.js";

/** Adds `wireroom space …`. A space is a room for many handles. */
export function addSpaceCommands(program: Command): void {
  const space = program
    .command("space")
    .helpGroup(HEADINGS.agent)
    .description("manage spaces (rooms), their wires and members");
  addSpaceSettingCommands(space);
  addSpaceWireCommands(space);
  addSpaceMemberCommands(space);
}
