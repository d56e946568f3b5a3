/** Writes wires: blocks for a person, lines for a script. */
import type { Wire } from "../../sdk/src/index.js";
import type { Output } from "./output.js";
import type { Look } from "./show/look.js";
import { WIRE_COLUMNS, wireLines } from "./show/wire.js";

/** @param none what a person is told where there are none */
export function writeWires(output: Output, wires: readonly Wire[], look: Look, none: string): void {
  if (!output.isTerminal || wires.length === 0) {
    output.table(WIRE_COLUMNS, wires, none);
    return;
  }
  for (const [index, wire] of wires.entries()) {
    if (index > 0) output.line();
    for (const line of wireLines(wire, look)) output.line(line);
  }
}
