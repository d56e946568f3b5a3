/** The address of the page: every view has a URL, and the back button goes back. */
import { computed, signal } from "@preact/signals";

/** The path of the console, below which every view is. */
export const BASE = "/console";

const address = signal(new URL(location.href));

/** The path below `/console`, such as `/approvals`. The start page is `/`. */
export const path = computed(() => address.value.pathname.slice(BASE.length).replace(/\/$/, "") || "/");
/** The parameters of the query. */
export const query = computed(() => address.value.searchParams);

/**
 * Shows another view.
 * @param replace whether the back button skips the present view
 */
export function navigate(to: string, { replace = false } = {}): void {
  const url = new URL(BASE + to, location.origin);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  address.value = url;
  if (!replace) scrollTo(0, 0);
}

/** Changes a parameter of the query without a step for the back button. An empty value removes it. */
export function setQuery(name: string, value: string): void {
  const next = new URLSearchParams(query.value);
  if (value === "") next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  navigate(path.value + (text && `?${text}`), { replace: true });
}

/** Returns a text of the address, such as a filter, if it is a key of the object. */
export function keyIn<Key extends string>(keys: Readonly<Record<Key, unknown>>, text: string | null) {
  return text !== null && Object.hasOwn(keys, text) ? (text as Key) : undefined;
}

/** Follows the browser's back button, and clicks on links of the console. */
export function followAddress(): void {
  addEventListener("popstate", () => {
    address.value = new URL(location.href);
  });
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return;
    // The browser itself moves to a place of the page.
    if (link.hash !== "") return;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const isHere = link.origin === location.origin && link.pathname.startsWith(`${BASE}/`);
    if (!isPlain || !isHere || event.defaultPrevented) return;
    event.preventDefault();
    navigate(link.href.slice(location.origin.length + BASE.length));
  });
}

/** Parameters of a path, by their names in the pattern. */
export type Params = Readonly<Record<string, string>>;

/**
 * Compares a path with a pattern such as `/handles/:slug/keys`.
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

/** Returns a URL of the console for `href`, with each part of the path encoded. */
export function urlOf(...parts: string[]): string {
  return `${BASE}/${parts.map(encodeURIComponent).join("/")}`;
}
