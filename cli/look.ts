/** How the things of a command look. */
import type { Look } from "./output/show/look.js";
import type { Session } from "./session.js";

export function lookOf({ output }: Session): Look {
  return { paint: output.paint, time: (text) => output.time(text) };
}
