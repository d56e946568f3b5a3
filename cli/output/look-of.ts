/** How the things of a command look. */

import type { Session } from "../session.js";
import type { Look } from "./show/look.js";

export function lookOf({ output }: Session): Look {
  return { paint: output.paint, time: (text) => output.time(text) };
}
