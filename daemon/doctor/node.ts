import { type Check, fail, ok } from "./check.js";

/** Oldest supported Node version. Must match `engines` in package.json. */
const OLDEST = [20, 19] as const;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isNewEnough) return ok("node", `Node ${version}`);
  return fail("node", `Node ${version} is too old`, `install Node ${OLDEST.join(".")} or newer`);
}
