/** A list, whose rows the keys `j` and `k` reach, with a button that loads more rows. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useShortcuts } from "../app/shortcuts.js";
import { Button } from "./button.js";
import { type Loaded, Show } from "./load.js";
import { type Listed, type Source, useLive } from "./use-live.js";

/** @param key identifies the values that determine the list, such as a filter */
export function useList<Item>(key: string, list: Source<Item>["list"]): Loaded<Listed<Item>> {
  return useLive(key, { list, growsAt: "end" });
}

/**
 * Number of rows per part of a list. The browser lays out only visible parts, and only changed parts are
 * rendered, so a long list stays fast.
 */
const PART_SIZE = 10;

export interface RowsProps<Item> {
  of: Listed<Item>;
  /** Number of items added at the top since the list was loaded. These items form a separate part. */
  freshCount?: number;
  keyOf: (item: Item) => string;
  /**
   * Renders an item. The keys `j` and `k` move to its link of class `to`, or else to its first link or
   * button. A part is rendered again only if an item or this function has changed, so long lists pass the
   * same function each time.
   */
  render: (item: Item) => ComponentChildren;
  /** CSS class of the rows. */
  row?: string;
  /** Shown beside the button that loads more rows. */
  beside?: ComponentChildren;
}

interface ListProps<Item> extends Omit<RowsProps<Item>, "of"> {
  of: Loaded<Listed<Item>>;
  /**
   * Replaces the list while it is empty. In some lists, the first page may be empty although more pages
   * follow.
   */
  empty: ComponentChildren;
}

export function List<Item>({ of, empty, ...rows }: ListProps<Item>) {
  return (
    <Show of={of}>
      {(listed) => (listed.items.length === 0 && !listed.more ? empty : <Rows of={listed} {...rows} />)}
    </Show>
  );
}

export function Rows<Item>({ of, freshCount = 0, keyOf, render, row, beside }: RowsProps<Item>) {
  const { items } = of;
  useShortcuts({ j: () => go(1), k: () => go(-1) });
  const divided = [
    ...(freshCount > 0 ? [items.slice(0, freshCount)] : []),
    ...Array.from({ length: Math.ceil((items.length - freshCount) / PART_SIZE) }, (_, index) => {
      const start = freshCount + index * PART_SIZE;
      return items.slice(start, start + PART_SIZE);
    }),
  ];
  return (
    <>
      <div class="parts">
        {divided.map((part, index) => (
          <Part
            key={freshCount > 0 ? index - 1 : index}
            items={part}
            keyOf={keyOf}
            render={render}
            row={row}
          />
        ))}
      </div>
      {(beside || of.more) && (
        <div class="actions">
          {beside}
          <More of={of} />
        </div>
      )}
    </>
  );
}

export function More<Item>({ of }: { of: Listed<Item> }) {
  return of.more ? <Button onClick={of.more}>Show more</Button> : null;
}

/** Moves the focus to the next or previous row, also from one list of the page to another. */
function go(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(".parts > .list > li")].filter((row) =>
    row.querySelector(TARGETS),
  );
  const index = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[index < 0 ? 0 : index + step];
  (next?.querySelector<HTMLElement>("a.to") ?? next?.querySelector<HTMLElement>(TARGETS))?.focus();
}

const TARGETS = "a, button, select";

interface PartProps<Item> extends Pick<RowsProps<Item>, "keyOf" | "render"> {
  items: readonly Item[];
  row: string | undefined;
}

function Part<Item>({ items, keyOf, render, row }: PartProps<Item>) {
  const last = useRef<{ items: readonly Item[]; render: unknown; rows: ComponentChildren }>(undefined);
  // Compare items by identity, because a reloaded or changed item is a new object.
  const before = last.current;
  const isSame =
    before?.render === render &&
    before.items.length === items.length &&
    before.items.every((item, n) => item === items[n]);
  if (!isSame) {
    const rows = items.map((item) => (
      <li key={keyOf(item)} class={row}>
        {render(item)}
      </li>
    ));
    last.current = { items, render, rows };
  }
  return <ul class={items.length === PART_SIZE ? "list full" : "list"}>{last.current!.rows}</ul>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
