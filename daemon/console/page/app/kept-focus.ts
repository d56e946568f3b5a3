/**
 * Moves the keyboard focus to a nearby heading when the focused element is removed, for example the button of
 * a deleted row. Otherwise browsers would move the focus to the start of the page.
 */
export function keepFocus(): void {
  /** The last focused element and its ancestors. */
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
