/** Implements `wireroom audit`. */
import type { AuditListInput, WireroomDashboard } from "../../../sdk/src/index.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { AUDIT_COLUMNS, auditColumns } from "../../output/show/audit.js";
import { tabSeparated } from "../../output/table.js";
import type { Session } from "../../session.js";

export interface AuditFlags extends PageFlags {
  handle?: string;
  action?: AuditListInput["action"];
  since?: string;
  until?: string;
}

type Filter = Pick<AuditListInput, "handle" | "action" | "since" | "until">;

export async function showAudit(session: Session, flags: AuditFlags): Promise<void> {
  const { output } = session;
  const { action, since, until } = flags;
  const handle = flags.handle === undefined ? undefined : parseOwnHandleArgument(session, flags.handle);
  const filter: Filter = { handle, action, since, until };
  const client = await session.dashboard();
  if (flags.all && (output.json || !output.isTerminal)) return exportAudit(session, client, filter, flags);
  const body = await readPages(flags, "entries", (page) => client.audit.list({ ...filter, ...page }));
  output.result(body, () => {
    const columns = output.isTerminal ? auditColumns(output, body.entries) : AUDIT_COLUMNS;
    output.table(columns, body.entries, "no entries");
    printNextPageHint(output, body, `wireroom audit${filterFlags(filter)}`);
  });
}

/** Prints each entry as it arrives, because a long audit log may not fit into memory. */
async function exportAudit(
  { output }: Session,
  client: WireroomDashboard,
  filter: Filter,
  { limit = 100, cursor }: PageFlags,
): Promise<void> {
  for await (const entry of client.audit.list({ ...filter, limit, cursor }))
    await output.writeAndWait(
      output.json
        ? output.jsonLine(entry, { operation: "audit.list" })
        : `${tabSeparated(AUDIT_COLUMNS, [entry])}\n`,
    );
}

function filterFlags(filter: Filter): string {
  const defined = Object.entries(filter).filter(([, value]) => value !== undefined);
  return defined.map(([name, value]) => ` --${name} ${value}`).join("");
}
