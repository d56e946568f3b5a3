import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useShortcuts } from "../../app/shortcuts.js";
import { type Listed, More } from "../load.js";

/**
 * Number of items per part of a long list. The browser lays out only visible parts, and only changed parts
 * are rendered, so a long list stays fast.
 */
const PART_SIZE = 10;

export interface LongListProps<Item> {
  of: Listed<Item>;
  /**
   * Number of items added at the top since the list was loaded. They form their own part, so that the other
   * parts do not change.
   */
  freshCount?: number;
  keyOf: (item: Item) => string;
  /**
   * Renders an item. The result must depend only on the item, and must contain a link of class `to`, to
   * which the keys `j` and `k` move.
   */
  render: (item: Item) => ComponentChildren;
}

/** The keys `j` and `k` focus the next and previous item's link. */
export function LongList<Item>({ of, freshCount = 0, keyOf, render }: LongListProps<Item>) {
  const { items } = of;
  const parts = useRef<HTMLDivElement>(null);
  const go = (step: 1 | -1) => () => {
    const item = document.activeElement?.closest(".parts > .list > li");
    const next = item ? neighbour(item, step) : parts.current!.querySelector("li");
    next?.querySelector<HTMLElement>("a.to")?.focus();
  };
  useShortcuts({ j: go(1), k: go(-1) });
  const divided = [
    ...(freshCount > 0 ? [items.slice(0, freshCount)] : []),
    ...Array.from({ length: Math.ceil((items.length - freshCount) / PART_SIZE) }, (_, index) => {
      const start = freshCount + index * PART_SIZE;
      return items.slice(start, start + PART_SIZE);
    }),
  ];
  return (
    <>
      <div ref={parts} class="parts">
        {divided.map((part, index) => (
          <Part key={freshCount > 0 ? index - 1 : index} items={part} keyOf={keyOf} render={render} />
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

function Part<Item>({
  items,
  keyOf,
  render,
}: { items: readonly Item[] } & Pick<LongListProps<Item>, "keyOf" | "render">) {
  const rendered = useRef<{ items: readonly Item[]; rows: ComponentChildren }>(undefined);
  // Compare items by identity, because a reloaded or changed item is a new object.
  const before = rendered.current?.items;
  if (before?.length !== items.length || before.some((item, n) => item !== items[n]))
    rendered.current = { items, rows: items.map((item) => <li key={keyOf(item)}>{render(item)}</li>) };
  return <ul class={items.length === PART_SIZE ? "list full" : "list"}>{rendered.current!.rows}</ul>;
}
