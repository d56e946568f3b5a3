/** Keeps the human's drafts in the tab until they are sent or saved, or the human signs out. */
import { effect } from "@preact/signals";
import { useState } from "preact/hooks";
import { showProblem } from "../parts/toast.js";
import { channelOf, ofTab } from "./memory.js";
import { LOCK, session, subject } from "./session.js";

const PREFIX = "wireroom-draft ";

/** @param key identifies the form, such as the recipient of a wire. Without a key, nothing is kept. */
export function useDraft<Value>(
  key: string | undefined,
  empty: Value,
): [draft: Value, set: (draft: Value) => void] {
  const item = key && `${PREFIX}${subject()} ${key}`;
  const [state, setState] = useState<{ item: string | undefined; draft: Value }>();
  const read = () => (item && JSON.parse(ofTab.getItem(item) ?? "null")) ?? empty;
  return [
    state && state.item === item ? state.draft : read(),
    (draft) => {
      setState({ item, draft });
      if (item) keep(item, JSON.stringify(draft), JSON.stringify(empty));
    },
  ];
}

function keep(item: string, text: string, empty: string): void {
  try {
    ofTab.removeItem(item);
    if (text !== empty) ofTab.setItem(item, text);
  } catch {
    showProblem(
      new Error("This text is too large to be kept. It is lost if you leave the page before you send it."),
    );
  }
}

/** Removes the drafts that the next human at this browser must not see. */
function forget(mayStay: (key: string) => boolean): void {
  for (const key of Object.keys(ofTab)) if (key.startsWith(PREFIX) && !mayStay(key)) ofTab.removeItem(key);
}

export function followDrafts(): void {
  // This tab or another one sends the message when the human signs out.
  channelOf(LOCK).addEventListener("message", () => forget(() => false));
  effect(() => {
    if (session.value === "signed-in") forget((key) => key.startsWith(`${PREFIX}${subject()} `));
  });
}
