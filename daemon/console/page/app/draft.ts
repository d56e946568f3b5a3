/** Keeps the human's drafts in the tab until they are sent or saved, or the human signs out. */
import { effect } from "@preact/signals";
import { useState } from "preact/hooks";
import { LOCK, session, subject } from "./session.js";

const PREFIX = "wireroom-draft ";

/** @param key identifies the form, such as the recipient of a wire */
export function useDraft<Value>(key: string, empty: Value): [draft: Value, set: (draft: Value) => void] {
  const item = `${PREFIX}${subject()} ${key}`;
  const [state, setState] = useState<{ item: string; draft: Value }>();
  const read = () => JSON.parse(sessionStorage.getItem(item) ?? "null") ?? empty;
  const draft = state?.item === item ? state.draft : read();
  return [
    draft,
    (next) => {
      const text = JSON.stringify(next);
      if (text === JSON.stringify(empty)) sessionStorage.removeItem(item);
      else sessionStorage.setItem(item, text);
      setState({ item, draft: next });
    },
  ];
}

/** Removes the drafts that the next human at this browser must not see. */
function forget(mayStay: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !mayStay(key)) sessionStorage.removeItem(key);
}

export function followDrafts(): void {
  // This tab or another one sends the message when the human signs out.
  new BroadcastChannel(LOCK).addEventListener("message", () => forget(() => false));
  effect(() => {
    if (session.value === "signed-in") forget((key) => key.startsWith(`${PREFIX}${subject()} `));
  });
}
