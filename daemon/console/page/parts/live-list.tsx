/** Shows a list that grows while it is shown. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isUnreachable } from "../app/connection.js";
import { messageOf } from "./error-message.js";
import { More, Rows, type RowsProps } from "./list.js";
import { type Loaded, Show } from "./load.js";
import type { Live } from "./use-live.js";

/** Time after which an announcement for screen readers is removed. */
const ANNOUNCED_MS = 3_000;

interface RowsOf<Item, Of> extends Pick<RowsProps<Item>, "keyOf" | "render"> {
  of: Of;
  empty: ComponentChildren;
}

export function LiveList<Item>({ of, ...rows }: RowsOf<Item, Loaded<Live<Item>>>) {
  return <Show of={of}>{(live) => <LiveRows of={live} {...rows} />}</Show>;
}

/** If inserting new items would move visible items, a button offers the new items instead. */
function LiveRows<Item>({ of, keyOf, render, empty }: RowsOf<Item, Live<Item>>) {
  const { items, growsAt, freshCount, arrived, show, problem } = of;
  const list = useRef<HTMLDivElement>(null);
  const [announced, announce] = useState("");
  const wanted = useRef<number | undefined>(undefined);
  const count = arrived.length;

  useEffect(() => {
    if (count > 0) announce(`${count} new`);
  }, [count]);
  useEffect(() => {
    if (announced === "") return;
    // Clear the text afterwards, because screen readers announce a repeated text only if it has changed in
    // between.
    const timer = setTimeout(announce, ANNOUNCED_MS, "");
    return () => clearTimeout(timer);
  }, [announced]);

  useEffect(() => {
    if (count === 0) return;
    const showIfSeen = () => mayInsert(list.current!, growsAt) && show();
    showIfSeen();
    if (growsAt === "start") return;
    addEventListener("scroll", showIfSeen, { passive: true });
    return () => removeEventListener("scroll", showIfSeen);
  });

  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = list.current!.querySelectorAll<HTMLElement>(".list > li")[wanted.current];
    row?.querySelector<HTMLElement>("a.to")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
    wanted.current = undefined;
  });

  return (
    <>
      <p class="hidden" role="status">
        {announced}
      </p>
      {problem !== undefined && !isUnreachable(problem) && (
        <p class="hint">New items do not appear at the moment. {messageOf(problem)}</p>
      )}
      <div ref={list} class={`live ${growsAt}`}>
        {count > 0 && (
          <p class="arrived">
            <button
              type="button"
              class="main"
              onClick={() => {
                wanted.current = growsAt === "start" ? 0 : items.length;
                show();
              }}
            >
              {`${count} new`}
            </button>
          </p>
        )}
        {items.length === 0 ? (
          <>
            {empty}
            <More of={of} />
          </>
        ) : (
          <Rows of={of} freshCount={growsAt === "start" ? freshCount : 0} keyOf={keyOf} render={render} />
        )}
      </div>
    </>
  );
}

/**
 * Returns whether new items can be inserted without moving visible items or losing the focus or the
 * selection.
 */
function mayInsert(list: HTMLElement, growsAt: Live<unknown>["growsAt"]): boolean {
  const { top, bottom } = list.getBoundingClientRect();
  if (growsAt === "end") return bottom <= innerHeight;
  const isSelected = getSelection()?.isCollapsed === false && list.contains(getSelection()!.anchorNode);
  return top >= 0 && !list.contains(document.activeElement) && !isSelected;
}
