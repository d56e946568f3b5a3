/**
 * Keeps the keyboard focus near where it was when the focused element goes, such as the button of a row that
 * it has removed. Browsers move it to the start of the page.
 */
export function keepFocus(): void {
  /** The element that had the focus last, and those that contain it. */
  let places: Element[] = [];
  document.addEventListener("focusin", ({ target }) => {
    places = [];
    for (let place = target as Element | null; place; place = place.parentElement) places.push(place);
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || places.length === 0 || places[0]!.isConnected) return;
    const place = places.find((each) => each.isConnected && each.querySelector(HEADINGS));
    const heading = place?.querySelector<HTMLElement>(HEADINGS);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

const HEADINGS = "main h1, main h2, main h3";
