/** All texts of the console, in English. A second language is a second object of the same type. */
import { account, audit, deletion, signIns } from "./account.js";
import { approvals } from "./approvals.js";
import { asHandle } from "./as-handle.js";
import { common } from "./common.js";
import { editor } from "./editor.js";
import { connections, egress, handles, hosts, keys } from "./handles.js";
import { operator } from "./operator.js";
import { people } from "./people.js";
import { read } from "./read.js";
import { spaces } from "./spaces.js";
import { start } from "./start.js";
import { wire } from "./wire.js";

export const texts = {
  ...common,
  account,
  approvals,
  audit,
  deletion,
  operator,
  signIns,
  connections,
  egress,
  handles,
  hosts,
  keys,
  asHandle,
  editor,
  people,
  read,
  spaces,
  start,
  wire,
} as const;
