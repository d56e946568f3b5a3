import { useEffect, useRef } from "preact/hooks";

/** Minimum length of a swipe. */
const SWIPE_PX = 110;
/** Width of the edge of the screen, from which swipes belong to the browser. */
const EDGE_PX = 24;

type Swipe = "left" | "right";

/**
 * Calls `onSwipe` for a sideways swipe over the element, which follows the finger. Ignores swipes over
 * content that scrolls sideways itself. The element's style needs `touch-action: pan-y pinch-zoom`.
 */
export function useSwipe<Target extends HTMLElement>(onSwipe: (direction: Swipe) => void) {
  const element = useRef<Target>(null);
  const current = useRef(onSwipe);
  current.current = onSwipe;
  useEffect(() => {
    const target = element.current!;
    let start: { x: number; y: number } | undefined;
    const move = (x: number) => {
      target.style.translate = x === 0 ? "" : `${x}px`;
      if (x === 0) delete target.dataset.swipe;
      else target.dataset.swipe = `${directionOf(x)}${Math.abs(x) >= SWIPE_PX ? " far" : ""}`;
    };
    const ended = new AbortController();
    const on = (
      type: "touchstart" | "touchmove" | "touchend" | "touchcancel",
      act: (event: TouchEvent) => void,
    ) => target.addEventListener(type, act, { passive: true, signal: ended.signal });
    const distanceOf = ({ changedTouches }: TouchEvent) => {
      const { clientX, clientY } = changedTouches[0]!;
      const [x, y] = [clientX - start!.x, clientY - start!.y];
      return Math.abs(x) > 2 * Math.abs(y) ? x : 0;
    };
    on("touchstart", ({ touches, target: touched }) => {
      const { clientX: x, clientY: y } = touches[0]!;
      const isEdge = x < EDGE_PX || x > innerWidth - EDGE_PX;
      const isOther = touches.length > 1 || isEdge || scrollsSideways(touched as Element, target);
      start = isOther ? undefined : { x, y };
      move(0);
    });
    on("touchmove", (event) => start && move(distanceOf(event)));
    on("touchend", (event) => {
      if (!start) return;
      const x = distanceOf(event);
      start = undefined;
      move(0);
      if (Math.abs(x) >= SWIPE_PX) current.current(directionOf(x));
    });
    on("touchcancel", () => {
      start = undefined;
      move(0);
    });
    return () => ended.abort();
  }, []);
  return element;
}

function directionOf(x: number): Swipe {
  return x > 0 ? "right" : "left";
}

function scrollsSideways(touched: Element, within: Element): boolean {
  for (let each: Element | null = touched; each && each !== within; each = each.parentElement)
    if (each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== "visible") return true;
  return false;
}
