import { noun } from "../command.js";
import { MEMBER_COMMANDS } from "./members.js";
import { SETTING_COMMANDS } from "./settings.js";
import { WIRE_COMMANDS } from "./wires.js";
import { WORK_COMMAND } from "./work.js";

export const add = noun("space", "manage spaces (rooms), their wires and members", [
  ...SETTING_COMMANDS,
  ...WIRE_COMMANDS,
  WORK_COMMAND,
  ...MEMBER_COMMANDS,
]);
