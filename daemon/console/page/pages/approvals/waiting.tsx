/** The list of waiting approvals and the selected one, which keys, buttons and swipes answer. */
import { signal } from "@preact/signals";
import type { Approval } from "@wireroom/sdk";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { BASE, navigate } from "../../app/router.js";
import { useShortcuts } from "../../app/shortcuts.js";
import { Button } from "../../parts/button.js";
import { counted } from "../../parts/count.js";
import { Confirmation } from "../../parts/dialog.js";
import { toggleExpanded } from "../../parts/json-tree.js";
import { Keys } from "../../parts/keys.js";
import { showToast } from "../../parts/toast.js";
import { Decided } from "./answered.js";
import { type Answer, chosen, decide } from "./answers.js";
import { Details } from "./details.js";
import { byPair, filtered, secretsOf, useFilter } from "./filter.js";
import { Pane } from "./list.js";
import { nameOf } from "./store.js";
import { useSwipe } from "./use-swipe.js";

const KEY_TEXTS = {
  j: "Next",
  k: "Previous",
  "Space, PageDown": "Scroll down in the open one",
  "Shift + Space, PageUp": "Scroll up in the open one",
  a: "Approve",
  "Shift + A": "Approve, and always allow this recipient",
  r: "Reject",
  "Shift + R": "Reject with a note to the handle",
  x: "Select, to answer many at once",
  "Shift + X": "Select all from the last selected one to this one",
  Escape: "Clear the selection",
  e: "Expand all payloads, or only their first levels",
  g: "Group by sender and recipient",
  u: "Undo the last answer",
  t: "Show times exactly",
  "/": "Look up a handle, space, message or page",
  "?": "Show this list",
};

const isGrouped = signal(false);
const wide = matchMedia("(min-width: 60rem)");
/** Whether the list and the details are side by side (styles/approvals.css). */
const isWide = signal(wide.matches);
wide.addEventListener("change", ({ matches }) => {
  isWide.value = matches;
});

export function Waiting({ list, id }: { list: readonly Approval[]; id: string | undefined }) {
  const [filter, setFilter] = useFilter();
  const lastChosen = useRef<string | undefined>(undefined);
  const [isMore, setMore] = useState(false);
  const [areKeysShown, showKeys] = useState(false);
  /** The approvals for which the human writes a note. They stay the same if the selection changes. */
  const [noted, setNoted] = useState<readonly Approval[]>([]);
  // Undoing an answer may tick or open what the filter hides. What an answer goes to must be in the list.
  const matching = filtered(list, filter, new Set([...chosen.value, id ?? ""]));
  const groups = isGrouped.value ? byPair(matching) : undefined;
  const shown = groups?.flat() ?? matching;
  // If the URL has no id, a wide window shows the first approval and keeps showing it, so that an answer
  // never goes to another approval. A narrow window shows the list.
  const first = useRef<string | undefined>(undefined);
  first.current = id === undefined && isWide.value ? (first.current ?? shown[0]?.id) : undefined;
  const currentId = id ?? first.current;
  const current = list.find((each) => each.id === currentId);
  const index = shown.findIndex((each) => each.id === currentId);
  const selected = list.filter((each) => chosen.value.has(each.id));
  // A narrow window shows either the list with the selection or one approval, and answers what it shows.
  const answersSelected = chosen.value.size > 0 && (isWide.value || id === undefined);
  const answered = answersSelected ? selected : current ? [current] : [];
  const number = answersSelected && selected.length > 0 ? ` ${selected.length}` : "";
  const count = number && `${number} selected`;
  const secretCount = selected.filter((each) => secretsOf(each).length > 0).length;
  const secrets = number && secretCount > 0 ? ` (${counted(secretCount, "apparent secret")})` : "";

  const select = (ids: ReadonlySet<string>) => {
    lastChosen.current = undefined;
    chosen.value = ids;
  };
  const toggle = (each: string, isRange: boolean) => {
    const from = shown.findIndex((other) => other.id === lastChosen.current);
    const to = shown.findIndex((other) => other.id === each);
    const next = new Set(chosen.value);
    if (isRange && from >= 0)
      for (const { id: other } of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(other);
    else if (!next.delete(each)) next.add(each);
    lastChosen.current = each;
    chosen.value = next;
  };
  const go = (step: number) => {
    const next = shown[Math.min(Math.max(index + step, 0), shown.length - 1)];
    if (next) navigate(`/approvals/${next.id}`, { replace: id !== undefined || isWide.value });
  };
  const answer = (what: Answer, approvals: readonly Approval[] = answered) => {
    if (approvals.length === 0) {
      if (!answersSelected && currentId === undefined) showToast("Open an approval or select some first.");
      return;
    }
    const rest = shown.filter((each) => !approvals.includes(each));
    const next = rest.find((each) => shown.indexOf(each) >= index) ?? rest.at(-1);
    setMore(false);
    if (answersSelected) select(new Set());
    first.current = next?.id;
    decide(approvals, what);
    if (id !== undefined) navigate(next ? `/approvals/${next.id}` : "/approvals", { replace: true });
  };
  const approve = () => answer({ status: "approved" });
  const reject = () => answer({ status: "rejected" });
  const remember = () => answer({ status: "approved", remember: true });
  const askForNote = () => setNoted(answered);
  const group = () => {
    isGrouped.value = !isGrouped.value;
  };
  const scroll = (pages: number) => body.current!.scrollBy(0, pages * 0.9 * body.current!.clientHeight);
  useShortcuts({
    // In a narrow window, the browser scrolls the page.
    ...(isWide.value && {
      " ": ({ shiftKey }) => scroll(shiftKey ? -1 : 1),
      pagedown: () => scroll(1),
      pageup: () => scroll(-1),
    }),
    j: () => go(1),
    k: () => go(-1),
    a: approve,
    A: remember,
    r: reject,
    R: askForNote,
    x: () => current && toggle(current.id, false),
    X: () => current && toggle(current.id, true),
    e: toggleExpanded,
    g: group,
    escape: () => select(new Set()),
    "?": () => showKeys(true),
  });
  const body = useSwipe<HTMLDivElement>((direction) => {
    if (!isWide.value) direction === "right" ? approve() : reject();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect also runs for another approval
  useLayoutEffect(() => {
    body.current!.scrollTop = 0;
    setMore(false);
    if (!isWide.value && id !== undefined) scrollTo(0, 0);
  }, [currentId]);
  /** Ignores the second click of a double click, because it would answer the next approval. */
  const once = (act: () => void) => (event: MouseEvent) => event.detail <= 1 && act();
  return (
    <>
      {answersSelected && selected.length === 0 && (
        <p class="done">What you selected was answered, withdrawn or has expired.</p>
      )}
      <div class="panes">
        <Pane
          list={list}
          shown={shown}
          groups={groups}
          current={currentId}
          chosen={chosen.value}
          filter={filter}
          onToggle={toggle}
          onSelect={select}
          onGroup={group}
          onHelp={() => showKeys(true)}
          onFilter={(next) => {
            select(new Set());
            setFilter(next);
            if (filtered(list, next, chosen.value).some((each) => each.id === currentId)) return;
            first.current = undefined;
            if (id !== undefined) navigate("/approvals", { replace: true });
          }}
        />
        <div class="pane details">
          <div class="pane-head row">
            <a class="back" href={`${BASE}/approvals`}>
              Back to the list
            </a>
            {answered.length > 0 && (
              <div class="answer-bar">
                <Button kind="main" onClick={once(approve)}>
                  Approve{count}
                  {secrets}
                </Button>
                <Button kind="danger" onClick={once(reject)}>
                  Reject{count}
                </Button>
                <span class="more">
                  <Button label="More answers" onClick={() => setMore(!isMore)}>
                    …
                  </Button>
                </span>
                <div class={`answers${isMore ? " is-open" : ""}`}>
                  <Button onClick={once(remember)}>Approve{number} and always allow</Button>
                  <Button onClick={askForNote}>Reject{number} with a note</Button>
                </div>
              </div>
            )}
            <span class="end row steps">
              <span class="quiet">{index >= 0 && `${index + 1} of ${shown.length}`}</span>
              <Button label="Previous" onClick={() => go(-1)} disabled={index === 0}>
                ‹
              </Button>
              <Button label="Next" onClick={() => go(1)} disabled={index === shown.length - 1}>
                ›
              </Button>
            </span>
          </div>
          <div ref={body} class="pane-body">
            {current ? (
              <Details key={current.id} approval={current} />
            ) : (
              currentId !== undefined && <Decided key={currentId} id={currentId} />
            )}
          </div>
        </div>
      </div>
      {areKeysShown && <Keys texts={KEY_TEXTS} onClose={() => showKeys(false)} />}
      {noted.length > 0 && (
        <Confirmation
          title={`Reject ${noted.length > 1 ? `${noted.length} approvals` : nameOf(noted[0]!)}`}
          action="Reject"
          note={{
            name: "note",
            label: "Note",
            hint: `${sendersOf(noted)} reads it in the inbox, with the decision. Ctrl + Enter rejects.`,
          }}
          run={(note) => answer({ status: "rejected", note }, noted)}
          onClose={() => setNoted([])}
        />
      )}
    </>
  );
}

function sendersOf(approvals: readonly Approval[]): string {
  return [...new Set(approvals.map(({ handle }) => `@${handle}`))].join(", ");
}
