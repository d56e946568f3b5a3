/** The router. Every view has its own URL, so the browser's back button works. */
import { computed, signal } from "@preact/signals";

export const BASE = "/console";

const address = signal(new URL(location.href));

/** The current path below `/console`, such as `/approvals`. The start page is `/`. */
export const path = computed(() => address.value.pathname.slice(BASE.length).replace(/\/$/, "") || "/");
export const query = computed(() => address.value.searchParams);

/**
 * @param replace whether to replace the current history entry, so that the back button does not return to it
 * @param keepScroll whether to keep the scroll position, because the view shows the same list as before
 */
export function navigate(to: string, { replace = false, keepScroll = false } = {}): void {
  const url = new URL(BASE + to, location.origin);
  if (replace) history.replaceState(history.state, "", url);
  else {
    rememberPlace();
    entry = ++lastEntry;
    history.pushState(entry, "", url);
  }
  address.value = url;
  if (!replace && !keepScroll) scrollTo(0, 0);
}

/** Adds no history entry. An empty value removes the parameter. */
export function setQuery(name: string, value: string): void {
  const next = new URLSearchParams(query.value);
  if (value === "") next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  navigate(path.value + (text && `?${text}`), { replace: true });
}

/** A scroll position: of the list row in the middle of the window, or `y` (pixels) if there is no row. */
interface Place {
  y: number;
  row: number;
  top: number;
}

const ROWS = "main .list > li";
/** Number of frames in which rows that come into view may still change their height. */
const SETTLING_FRAMES = 20;
const places = new Map<number, Place>();
/** Number of the current history entry. Later entries have greater numbers, also after a reload. */
let entry = Number(history.state ?? 0);
let lastEntry = Math.max(entry, history.length);

function rememberPlace(): void {
  const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest(ROWS);
  const index = row ? [...document.querySelectorAll(ROWS)].indexOf(row) : -1;
  places.set(entry, { y: scrollY, row: index, top: row?.getBoundingClientRect().top ?? 0 });
}

/** Restores the scroll position of a history entry. Stops when the human scrolls or leaves the entry. */
function showPlace(of: number, ended: AbortSignal, frames = SETTLING_FRAMES): void {
  const place = places.get(of);
  requestAnimationFrame(() => {
    if (ended.aborted || entry !== of) return;
    const row = place && document.querySelectorAll(ROWS)[place.row];
    if (row) scrollBy(0, row.getBoundingClientRect().top - place.top);
    else scrollTo(0, place?.y ?? 0);
    if (frames > 1) showPlace(of, ended, frames - 1);
  });
}

/** Validates text from the URL. */
export function keyIn<Key extends string>(keys: Readonly<Record<Key, unknown>>, text: string | null) {
  return text !== null && Object.hasOwn(keys, text) ? (text as Key) : undefined;
}

export function followAddress(): void {
  history.scrollRestoration = "manual";
  // The browser itself restores the scroll position after a reload.
  addEventListener("pagehide", () => {
    history.scrollRestoration = "auto";
  });
  addEventListener("pageshow", () => {
    history.scrollRestoration = "manual";
  });
  addEventListener("popstate", ({ state }) => {
    rememberPlace();
    entry = Number(state ?? 0);
    address.value = new URL(location.href);
    const stop = new AbortController();
    for (const type of ["wheel", "touchstart", "keydown"])
      addEventListener(type, () => stop.abort(), { once: true, signal: stop.signal });
    showPlace(entry, stop.signal);
  });
  addEventListener("click", (event) => {
    const target = event.target as Element;
    const link = target.closest?.("a[href]");
    if (!link) return followRow(target, event);
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return;
    // The browser itself handles a link with a fragment, because the link leads to an element on this page.
    if (link.hash !== "") return;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const isHere = link.origin === location.origin && link.pathname.startsWith(`${BASE}/`);
    if (!isPlain || !isHere || event.defaultPrevented) return;
    event.preventDefault();
    const keepScroll = link.dataset.keepScroll !== undefined;
    navigate(link.href.slice(location.origin.length + BASE.length), { keepScroll });
  });
}

/**
 * Follows a list row's link after a click in the row, unless the click selects text or hits another control.
 */
function followRow(target: Element, event: MouseEvent): void {
  const link = target.closest?.(".list > li")?.querySelector("a.to");
  if (!link || target.closest("button, input, select, textarea, label, summary, dialog, form, time")) return;
  if (getSelection()?.isCollapsed !== false) link.dispatchEvent(new MouseEvent("click", event));
}

export type Params = Readonly<Record<string, string>>;

/**
 * Matches a path against a pattern such as `/handles/:slug/keys`.
 * @returns the decoded parameters, or undefined if the path does not match
 */
export function matchPath(pattern: string, actual: string): Params | undefined {
  const names: string[] = [];
  const source = pattern.replace(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return "([^/]+)";
  });
  const match = new RegExp(`^${source}$`).exec(actual);
  if (!match) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]));
  } catch {
    return undefined;
  }
}

export function urlOf(...parts: string[]): string {
  return `${BASE}/${parts.map(encodeURIComponent).join("/")}`;
}

/** Returns the URL of a view that acts as a handle. */
export function urlAs(as: string, ...parts: string[]): string {
  return `${urlOf(...parts)}?as=${as}`;
}
