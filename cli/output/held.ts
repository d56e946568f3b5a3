import type { Output } from "./output.js";

/** Says that what was sent waits for the human (decisions, section 9), who may be someone else than whoever sent it. */
export function sayHeld(output: Pick<Output, "note">): void {
  output.note("Held: the human who owns this handle must approve it first: wireroom approval list");
}
