/** Filters and groups the waiting approvals. */
import type { Approval } from "@wireroom/sdk";
import { useDraft } from "../../app/draft.js";
import { secretsIn } from "../../app/secrets.js";
import { contains } from "../../parts/filter.js";
import { nameOf } from "./store.js";

export const KINDS = {
  wire: "Wires",
  reply: "Replies",
  payload: "With a payload",
  space: "To a space",
  knock: "Knocks",
  secret: "Apparent secrets",
};
export type Kind = keyof typeof KINDS;

export interface PendingFilter {
  /** Slug of the sender, a target, and a kind. Empty means any. */
  handle: string;
  target: string;
  kind: Kind | "";
  /** Part of the text or payload. */
  words: string;
}
export const NO_FILTER: PendingFilter = { handle: "", target: "", kind: "", words: "" };

/** The filter stays while the human looks at other pages. */
export const useFilter = () => useDraft<PendingFilter>("filter of approvals", NO_FILTER);

/** What looks like a secret in each approval. Remembered, because a long payload takes a while. */
const secrets = new WeakMap<Approval, readonly string[]>();

export function secretsOf(approval: Approval): readonly string[] {
  const found = secrets.get(approval) ?? secretsIn(contentOf(approval));
  secrets.set(approval, found);
  return found;
}

export function kindsOf(approval: Approval): readonly Kind[] {
  const { kind, target, wire } = approval;
  const kinds: Kind[] = [...(secretsOf(approval).length > 0 ? ["secret" as const] : []), kind];
  if (wire && wire.reply_to !== null) kinds.push("reply");
  if (wire && wire.payload !== null) kinds.push("payload");
  if (target.startsWith("#")) kinds.push("space");
  return kinds;
}

/** @param chosen ids of approvals that are in the result even if they do not match */
export function filtered(
  list: readonly Approval[],
  filter: PendingFilter,
  chosen: ReadonlySet<string>,
): readonly Approval[] {
  const { handle, target, kind, words } = filter;
  return list.filter(
    (each) =>
      chosen.has(each.id) ||
      ((handle === "" || each.handle === handle) &&
        (target === "" || each.target === target) &&
        (kind === "" || kindsOf(each).includes(kind)) &&
        contains(contentOf(each), words)),
  );
}

/** Returns what a filter by words searches. */
export function contentOf({ wire, knock }: Pick<Approval, "wire" | "knock">): string {
  const payload = wire && wire.payload !== null ? JSON.stringify(wire.payload) : "";
  return `${wire?.text_body ?? knock?.intro ?? ""} ${payload}`;
}

/** Groups approvals by sender and target. The groups are in the order of their oldest approvals. */
export function byPair(list: readonly Approval[]): readonly (readonly Approval[])[] {
  return [...Map.groupBy(list, nameOf).values()];
}
