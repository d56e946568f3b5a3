import type { Wire as WireData } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { type Listed, More } from "../load.js";
import { Wire } from "../wire.js";
import { LongList } from "./long-list.js";

/** Wires, page by page. */
export function WireList({
  of,
  as,
  actions,
}: {
  of: Listed<WireData>;
  /** The human's handle that reads the wires. */
  as: string;
  /** Returns what the view adds to a wire. It must depend on the wire alone. */
  actions?: (wire: WireData) => ComponentChildren;
}) {
  return (
    <>
      <LongList
        items={of.items}
        keyOf={({ id }) => id}
        render={(wire) => (
          <Wire wire={wire} as={as}>
            {actions?.(wire)}
          </Wire>
        )}
      />
      <More of={of} />
    </>
  );
}
