/** Checks the invariants that only a bug in Wireroom itself would break. */
import { type BrokenInvariant, Finding } from "../../../src/store/check.js";
import type { Session } from "../../../src/store/engine/engine.js";
import { checkDocuments } from "./documents.js";
import { INVARIANTS } from "./service.js";

/** Returns the invariants that do not hold in what the session sees. */
export async function brokenInvariants(session: Session): Promise<BrokenInvariant[]> {
  const findings: Finding[] = [];
  for (const { name, rule, violations } of INVARIANTS) {
    const finding = new Finding(name, rule);
    for (const statement of violations) await finding.search(session, statement);
    findings.push(finding);
  }
  findings.push(await checkDocuments(session));
  return findings.flatMap(({ broken }) => broken ?? []);
}
