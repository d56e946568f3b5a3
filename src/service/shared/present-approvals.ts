/**
 * Converts stored approvals to REST resources. Each resource includes its wire (message) or knock (contact request), even if
 * that is not sent yet.
 */
import type { Approval } from "../../contract/operations/approvals.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { Encodable, RawJson } from "../../kernel/raw-json.js";
import type { StoredApproval } from "../../store/approvals/approvals.js";
import type { Session } from "../../store/engine/engine.js";
import { knocksById } from "../../store/knocks.js";
import { wiresById } from "../../store/wires/wires.js";
import { presentUnsent, presentWire } from "./present-wire.js";

/** An approval resource before serialisation. Its wire is JSON text, as the database stores it. */
type Presented = Exclude<Encodable<Approval>, RawJson<Approval>>;

export async function presentApprovals(
  session: Session,
  approvals: readonly StoredApproval[],
  at: number,
): Promise<Presented[]> {
  if (approvals.length === 0) return [];
  const idsOf = (kind: "wire" | "knock") => approvals.filter((a) => a.kind === kind).map((a) => a.ref);
  const wires = await wiresById(session, idsOf("wire"));
  const knocks = await knocksById(session, idsOf("knock"), at);
  return approvals.map((approval) => {
    const { ref, doc, status } = approval;
    if (approval.kind === "knock") {
      return present(approval, { knock: knocks.get(ref) ?? (JSON.parse(doc!) as Knock) });
    }
    if (doc !== null) return present(approval, { wire: presentUnsent(doc, status) });
    const { wire, rules } = wires.get(ref)!;
    return present(approval, { wire: presentWire(wire, rules) });
  });
}

function present(approval: StoredApproval, what: { wire: RawJson<Wire> } | { knock: Knock }): Presented {
  const { id, sender, target, kind, status, createdAt, decidedAt, error } = approval;
  return {
    id,
    handle: sender.slug,
    target,
    kind,
    ...what,
    status,
    created_at: isoTime(createdAt),
    decided_at: decidedAt === null ? null : isoTime(decidedAt),
    error,
  };
}
