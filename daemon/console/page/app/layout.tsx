/** The frame around every view: the navigation, and the choice of the acting handle. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Palette } from "../pages/palette.js";
import { Select } from "../parts/field.js";
import { Keys } from "../parts/keys.js";
import { toggleExact } from "../parts/time.js";
import { actAs, acting, handles, operating } from "./acting.js";
import { badges } from "./badges.js";
import { isLost } from "./connection.js";
import { BASE, navigate, path, query, setQuery } from "./router.js";
import { OF_HANDLE, OF_HUMAN } from "./sections.js";
import { MODIFIER, useShortcuts } from "./shortcuts.js";

/** Sections of the views whose path does not begin with their section. */
const SECTION_OF: Readonly<Record<string, string>> = {
  "new-handle": "handles",
  "new-space": "spaces",
  "new-wire": "sent",
  threads: "inbox",
  wires: "inbox",
};

/** The shortcuts of every page but that of the waiting approvals, which shows its own list. */
const KEY_TEXTS = {
  j: "Next entry of a list",
  k: "Previous entry",
  Enter: "Open it",
  t: "Show times exactly",
  "/": "Look up a handle, space, message or page",
  "?": "Show this list",
};

export function Layout({ children }: { children: ComponentChildren }) {
  const [, first = ""] = path.value.split("/");
  const section = SECTION_OF[first] ?? first;
  const as = acting.value;
  const [isFinding, setFinding] = useState(false);
  const [areKeysShown, showKeys] = useState(false);
  const find = () => setFinding(as !== undefined);
  const hasOwnKeys = section === "approvals" && !query.value.has("status") && badges.value.approvals;
  useShortcuts({
    t: toggleExact,
    "/": find,
    "mod+k": find,
    ...(!hasOwnKeys && { "?": () => showKeys(true) }),
  });
  const linkTo = (name: string, title: string) => (
    <a
      key={name}
      href={`${BASE}/${name}${as !== undefined && name in OF_HANDLE && name !== "approvals" ? `?as=${as}` : ""}`}
      class={name === "audit" || name === "operator" ? "wide" : undefined}
      aria-current={section === name ? "page" : undefined}
    >
      {title}
      {badges.value[name] ? <span class="badge">{badges.value[name]}</span> : null}
    </a>
  );
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <div>
          <a class="brand" href={`${BASE}/`} aria-label="Wireroom: overview">
            <span class="logo" />
          </a>
          <nav class="sections" aria-label="Sections">
            {Object.entries(OF_HANDLE).map(([name, title]) => linkTo(name, title))}
          </nav>
          {as !== undefined && (
            <>
              <a class="button main" href={`${BASE}/new-wire?as=${as}`} aria-label="New wire">
                <span class="wide">New wire</span>
                <span class="narrow">+</span>
              </a>
              <button
                type="button"
                class="look-up"
                aria-label="Look up"
                aria-keyshortcuts={`${MODIFIER}+K`}
                title={`${MODIFIER === "Meta" ? "⌘" : "Ctrl"} + K, or /`}
                onClick={find}
              />
              <label class="acting">
                <span class="hidden">Act as</span>
                <Select
                  value={as}
                  options={handles.value!.map(
                    ({ slug, suspended }) => [slug, `@${slug}${suspended ? " (suspended)" : ""}`] as const,
                  )}
                  onChange={switchTo}
                />
              </label>
            </>
          )}
          <nav class="own" aria-label="Your account">
            {Object.entries(OF_HUMAN).map(([name, title]) => linkTo(name, title))}
            {operating.value !== undefined && linkTo("operator", "Operator")}
          </nav>
        </div>
      </header>
      {isFinding && as !== undefined && <Palette as={as} onClose={() => setFinding(false)} />}
      {areKeysShown && <Keys texts={KEY_TEXTS} onClose={() => showKeys(false)} />}
      {isLost.value && (
        <p class="banner" role="status">
          Wireroom does not answer. New items do not appear at the moment. The console tries again by itself.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/**
 * Changes the acting handle. Leaves a thread or wire for the inbox, because the other handle may not see it.
 */
function switchTo(slug: string): void {
  actAs(slug);
  if (/^\/(threads|wires)\//.test(path.value)) navigate(`/inbox?as=${slug}`);
  else if (query.value.has("as")) setQuery("as", slug);
}

/** Sets the document's title, preceded by the number of waiting approvals. */
export function useTitle(title: string): void {
  const waiting = badges.value.approvals ?? 0;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} – Wireroom`;
  }, [title, waiting]);
}
