import type { StoredConnection } from "../../store/accounts/connections.js";
import type { AuditEvent } from "../pipeline/audit.js";

/** Returns the audit event for creating or revoking a connection. */
export function connectionEvent(
  action: "connection.created" | "connection.revoked",
  { id, account, handle }: StoredConnection,
): AuditEvent {
  return { account, handle, action, subject: `connection:${id}` };
}
