/** All attacks of the campaign, in the order in which they run. */
import type { Attack } from "../attack.js";
import { bodyAttacks } from "./bodies.js";
import { identityAttacks } from "./identity.js";
import { readAttacks } from "./reads.js";
import { requestAttacks } from "./requests.js";
import { writeAttacks } from "./writes.js";

export const attacks: readonly Attack[] = [
  ...requestAttacks,
  ...bodyAttacks,
  ...identityAttacks,
  ...readAttacks,
  ...writeAttacks,
];
