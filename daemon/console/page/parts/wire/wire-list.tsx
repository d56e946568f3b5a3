import type { Wire as WireData } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.js";
import { type Listed, More } from "../load.js";
import { Wire } from "../wire.js";

/**
 * The list is divided, so that the browser lays out and the page renders only the parts that are in view or have changed, however many
 * wires were read.
 */
const PART_SIZE = 25;

export interface WireListProps {
  of: Listed<WireData>;
  /** The human's handle that reads the wires. */
  as: string;
  /** Returns what the view adds to a wire. It must depend on the wire alone. */
  actions?: (wire: WireData) => ComponentChildren;
}

/** Wires, page by page. The keys `j` and `k` go to the next and the previous one. */
export function WireList({ of, as, actions }: WireListProps) {
  const parts = useRef<HTMLDivElement>(null);
  const go = (step: 1 | -1) => () => {
    const item = document.activeElement?.closest(".wire")?.closest("li");
    const next = item ? neighbour(item, step) : parts.current!.querySelector("li");
    next?.querySelector<HTMLElement>("a.end")?.focus();
  };
  useShortcuts({ j: go(1), k: go(-1) });
  const starts = Array.from(
    { length: Math.ceil(of.items.length / PART_SIZE) },
    (_, index) => index * PART_SIZE,
  );
  return (
    <>
      <div ref={parts} class="parts">
        {starts.map((start) => (
          <Part
            key={start}
            wires={of.items.slice(start, start + PART_SIZE)}
            as={as}
            {...(actions && { actions })}
          />
        ))}
      </div>
      <More of={of} />
    </>
  );
}

function neighbour(item: Element, step: 1 | -1): Element | null | undefined {
  return step === 1
    ? (item.nextElementSibling ?? item.parentElement!.nextElementSibling?.firstElementChild)
    : (item.previousElementSibling ?? item.parentElement!.previousElementSibling?.lastElementChild);
}

type PartProps = Pick<WireListProps, "as" | "actions"> & { wires: readonly WireData[] };

function Part({ wires, as, actions }: PartProps) {
  // A wire that was read again is another object, so the first and the last one stand for all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wires` is a new array at each call
  const items = useMemo(
    () =>
      wires.map((wire) => (
        <li key={wire.id}>
          <Wire wire={wire} as={as}>
            {actions?.(wire)}
          </Wire>
        </li>
      )),
    [wires[0], wires.at(-1), as],
  );
  return <ul class={wires.length === PART_SIZE ? "list full" : "list"}>{items}</ul>;
}
