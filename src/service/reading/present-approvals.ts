/** Converts stored approvals to REST resources. Each resource includes its wire or knock, sent or unsent. */
import type { Approval } from "../../contract/operations/approvals.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { isoTime, isoTimeOrNull } from "../../kernel/clock.js";
import type { Encodable, RawJson } from "../../kernel/raw-json.js";
import type { StoredApproval } from "../../store/approvals/approvals.js";
import type { Session } from "../../store/engine/engine.js";
import { knocksById } from "../../store/knocks.js";
import { retainDaysBySlug } from "../../store/spaces.js";
import { wiresById } from "../../store/wires/wires.js";
import type { Context } from "../pipeline/context.js";
import { presentUnsent, presentWire } from "./present-wire.js";

type Presented = Exclude<Encodable<Approval>, RawJson<Approval>>;

/**
 * For each approval, returns its resource, or null if retention hides its wire. Retention never hides a wire
 * that waits for approval.
 * @param showsHidden whether to show wires that retention hides; true only in the response to an answer
 */
export async function presentApprovals(
  { store }: Context,
  session: Session,
  approvals: readonly StoredApproval[],
  at: number,
  showsHidden = false,
): Promise<(Presented | null)[]> {
  if (approvals.length === 0) return [];
  const idsOf = (kind: "wire" | "knock") => approvals.filter((a) => a.kind === kind).map((a) => a.ref);
  const wires = await wiresById(session, idsOf("wire"));
  const knocks = await knocksById(session, idsOf("knock"), at);
  const retainDays = await retainDaysOf(session, approvals.filter(isUnsent));
  const presented = approvals.map(async (approval) => {
    const { ref, doc, status, target } = approval;
    if (approval.kind === "knock") {
      return present(approval, { knock: knocks.get(ref) ?? (JSON.parse(doc!) as Knock) });
    }
    if (doc !== null) {
      const until = store.floors.hiddenUntil(retainDays.get(target) ?? null);
      const isHidden = isUnsent(approval) && until !== null && approval.createdAt <= until;
      if (isHidden && !showsHidden) return null;
      return present(approval, { wire: presentUnsent(doc, status) });
    }
    const sent = wires.get(ref);
    if (!sent || (await store.floors.hides({ pk: sent.wire.pk, retainDays: sent.retainDays }))) return null;
    return present(approval, { wire: await presentWire(session, sent.wire, sent.rules) });
  });
  return Promise.all(presented);
}

function isUnsent({ kind, doc, status }: StoredApproval): boolean {
  return kind === "wire" && doc !== null && status !== "pending";
}

async function retainDaysOf(
  session: Session,
  approvals: readonly StoredApproval[],
): Promise<Map<string, number | null>> {
  const targets = [...new Set(approvals.map(({ target }) => target))].filter((target) =>
    target.startsWith("#"),
  );
  const found = await retainDaysBySlug(
    session,
    targets.map((target) => target.slice(1)),
  );
  return new Map(targets.map((target) => [target, found.get(target.slice(1)) ?? null]));
}

function present(approval: StoredApproval, what: { wire: RawJson<Wire> } | { knock: Knock }): Presented {
  const { id, sender, target, kind, status, createdAt, decidedAt, note, error } = approval;
  return {
    id,
    handle: sender.slug,
    target,
    kind,
    ...what,
    status,
    created_at: isoTime(createdAt),
    decided_at: isoTimeOrNull(decidedAt),
    note,
    error,
  };
}
