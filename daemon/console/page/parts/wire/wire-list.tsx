import type { Wire as WireData } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.js";
import { type Listed, More } from "../load.js";
import { Wire } from "../wire.js";

/** Wires, page by page. The keys `j` and `k` go to the next and the previous one. */
export function WireList({
  of,
  as,
  actions,
}: {
  of: Listed<WireData>;
  as: string;
  actions?: (wire: WireData) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const go = (step: 1 | -1) => () => {
    const links = [...list.current!.querySelectorAll<HTMLElement>("a.end")];
    const from = links.findIndex((link) => link.closest("li")!.contains(document.activeElement));
    links[from === -1 ? 0 : from + step]?.focus();
  };
  useShortcuts({ j: go(1), k: go(-1) });
  return (
    <>
      <ul class="list" ref={list}>
        {of.items.map((wire) => (
          <li key={wire.id}>
            <Wire wire={wire} as={as}>
              {actions?.(wire)}
            </Wire>
          </li>
        ))}
      </ul>
      <More of={of} />
    </>
  );
}
