/**
 * Converts stored wires to REST resources, in full or shortened. A wire has the field `vote_count` only if it
 * accepts votes, and `claim` only if it can be claimed.
 */

import { BRIEF_TEXT } from "../../contract/fields.js";
import type { ApprovalStatus } from "../../contract/operations/approvals.js";
import type { Claim, Delivery, Wire } from "../../contract/shapes.js";
import { unsentStatus } from "../../domain/approvals.js";
import { isAllowed } from "../../domain/rule-features.js";
import { now } from "../../kernel/clock.js";
import {
  assertValidJson,
  type Encodable,
  jsonToString,
  RawJson,
  splitJsonArray,
} from "../../kernel/raw-json.js";
import type { Session } from "../../store/engine/engine.js";
import { claimsShown } from "../../store/wires/claims.js";
import { LENGTH_PER_TURN, nextTurn, type Shorten, type WireRow } from "../../store/wires/pages.js";
import { appendField } from "../../store/wires/wire-json.js";
import type { SpaceRules } from "../../store/wires/wires.js";

/**
 * Returns stored wires' REST resources as JSON. Reads claims only if a wire can be claimed.
 * @param rulesOf returns the rules of a wire's space; null for a direct message, which has neither votes nor
 *   a claim
 */
export async function presentWires<Row extends WireRow>(
  session: Session,
  rows: readonly Row[],
  rulesOf: (row: Row) => SpaceRules | null,
  at = now(),
): Promise<RawJson<Wire>[]> {
  const claimable = rows.filter((row) => {
    const rules = rulesOf(row);
    return rules !== null && isAllowed("claimable", row, rules);
  });
  const claims =
    claimable.length === 0
      ? undefined
      : await claimsShown(
          session,
          claimable.map(({ pk }) => pk),
          at,
        );
  return rows.map((row) => presentWithClaim(row, rulesOf(row), claims?.get(row.pk)));
}

/** @param claim undefined if the wire cannot be claimed */
export function presentWithClaim(
  row: WireRow,
  rules: SpaceRules | null,
  claim: Claim | undefined,
): RawJson<Wire> {
  let { doc } = row;
  if (rules && isAllowed("votable", row, rules)) doc = appendField(doc, "vote_count", String(row.vote_count));
  return new RawJson(claim ? appendField(doc, "claim", JSON.stringify(claim)) : doc);
}

/** {@link presentWires} for one wire. */
export async function presentWire(
  session: Session,
  row: WireRow,
  rules: SpaceRules | null,
): Promise<RawJson<Wire>> {
  const [presented] = await presentWires(session, [row], () => rules);
  return presented!;
}

/** Returns a direct message as its sender sees it. */
export function presentDelivered({ doc }: WireRow, delivery: Delivery): RawJson<Wire> {
  return new RawJson(appendField(doc, "delivery", JSON.stringify(delivery)));
}

export function presentUnsent(doc: string, status: ApprovalStatus): RawJson<Wire> {
  assertValidJson(doc);
  return new RawJson(appendField(doc, "status", JSON.stringify(unsentStatus(status))));
}

type Brief = "true" | "false" | undefined;

export function shortenFor(brief: Brief): Shorten | undefined {
  return brief === "true" ? (doc) => JSON.stringify(briefWire(JSON.parse(doc) as Wire)) : undefined;
}

/**
 * Returns a page's wires, shortened if `brief` is `"true"`.
 * @param wires the JSON array that the database query built, of at most 1 MiB
 */
export async function briefWires(wires: RawJson<Wire[]>, brief: Brief): Promise<Encodable<Wire[]>> {
  if (brief !== "true") return wires;
  const found: Wire[] = [];
  let length = 0;
  for (const doc of splitJsonArray(jsonToString(wires.json))) {
    length += doc.length;
    if (length > LENGTH_PER_TURN) {
      await nextTurn();
      length = doc.length;
    }
    found.push(briefWire(JSON.parse(doc) as Wire));
  }
  return found;
}

function briefWire(wire: Wire): Wire {
  const text = wire.text_body === null ? null : cutText(wire.text_body);
  const cut = text !== wire.text_body || wire.payload !== null || wire.reply_rule !== null;
  return { ...wire, text_body: text, payload: null, reply_rule: null, cut };
}

function cutText(text: string): string {
  // A text never has more code points than UTF-16 code units.
  if (text.length <= BRIEF_TEXT) return text;
  let end = 0;
  for (let count = 0; count < BRIEF_TEXT && end < text.length; count++)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
