/** Wires, posting rules, threads, inbox, tombstones, knocks, contacts and blocks (specification 2, 3, 4.1; decisions 3 to 6). */
import { inboxRequirements } from "./posting/inbox.js";
import { knockRequirements } from "./posting/knocks.js";
import { wireRequirements } from "./posting/wires.js";

export const postingRequirements: Readonly<Record<string, string>> = {
  ...wireRequirements,
  ...inboxRequirements,
  ...knockRequirements,
};
