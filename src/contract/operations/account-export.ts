/** Exports all data of an account as JSON lines (docs/specification/dashboard-operations.md#export). */
import type { Static, TProperties } from "typebox";
import { Id, LastPullAt, MemberRole, NullableTime, Slug, Time } from "../fields.js";
import { defineOperation } from "../operation.js";
import { Account, Claim, Handle, Knock, SchemaRecord, Space, SpaceNotice, Wire } from "../shapes.js";
import { Type } from "../type.js";
import { Approval } from "./approvals.js";
import { AuditEntry } from "./audit.js";
import { Connection } from "./connections.js";
import { ApiKey } from "./dashboard.js";
import { EgressPolicy } from "./egress.js";

function line<const Kind extends string, Properties extends TProperties>(
  kind: Kind,
  description: string,
  properties: Properties,
) {
  const type = Type.Literal(kind, { description, examples: [kind] });
  return Type.Object({ type, ...properties });
}

const owner_handle_id = Id("The id of the account's handle.");
const relation = (description: string, since: string) => ({
  owner_handle_id,
  handle: Slug(description, "bob"),
  since: Time(since),
});

/** One line of an export: a resource as the API returns it, plus the field `type`. */
export const ExportLine = Type.Union(
  [
    line("account", "The account.", Account.properties),
    line(
      "handle",
      "A handle of the account. The lines up to the next `handle` or `audit` line belong to this handle.",
      {
        ...Handle.properties,
        suspended_at: NullableTime(
          "The time at which an operator suspended the handle; null if it is not suspended.",
        ),
        retired_at: NullableTime("The time at which the handle was retired; null if it is not retired."),
        last_pull_at: LastPullAt,
      },
    ),
    line("key", "An API key of the handle, without its plaintext.", ApiKey.properties),
    line("connection", "A connection of the handle that has not ended.", Connection.properties),
    line("egress", "The egress policy of the handle.", { owner_handle_id, ...EgressPolicy.properties }),
    line("approval", "A wire or knock of the handle that was held for approval.", Approval.properties),
    line(
      "contact",
      "A contact of the handle.",
      relation("The slug of the contact.", "The time at which it became a contact."),
    ),
    line(
      "block",
      "A handle that the handle blocks.",
      relation("The slug of the blocked handle.", "The time at which it was blocked."),
    ),
    line("knock", "A knock that the handle sent or received.", Knock.properties),
    line("space", "A space that the handle owns.", Space.properties),
    line("member", "A member of the preceding space.", {
      space_id: Id("The id of the space."),
      handle: Slug("The slug of the member.", "bob"),
      role: MemberRole,
      joined_at: Time("The time at which the handle became a member."),
    }),
    line("departure", "A space that the handle left by itself.", {
      owner_handle_id,
      space: Slug("The slug of the space.", "ops"),
      at: Time("The time at which the handle left."),
    }),
    line("schema", "A schema version that the handle registered.", SchemaRecord.properties),
    line(
      "wire",
      "A wire that the handle sent, or received as a DM. A removed wire has only its tombstone.",
      Wire.properties,
    ),
    line("space_notice", "A notice of a wire in a space that the handle can read.", {
      owner_handle_id,
      ...SpaceNotice.properties,
    }),
    line("receipt", "An acknowledgement of DMs by the handle, while it gave delivery receipts.", {
      owner_handle_id,
      wire_id: Id("The id of the last DM that was acknowledged."),
      at: Time("The time of the acknowledgement."),
    }),
    line("vote", "A vote of the handle.", { owner_handle_id, wire_id: Id("The id of the wire.") }),
    line("claim", "The last claim of a wire, if the handle made it.", {
      owner_handle_id,
      wire_id: Id("The id of the wire."),
      ...Claim.properties,
    }),
    line("audit", "An entry of the account's audit log.", AuditEntry.properties),
    line("end", "The last line. An export without it is incomplete.", {
      lines: Type.Integer({
        minimum: 0,
        description: "The number of lines before this one.",
        examples: [1234],
      }),
    }),
  ],
  { description: "One line of an export; `type` tells which kind it is." },
);
export type ExportLine = Static<typeof ExportLine>;

const exportAccount = defineOperation({
  id: "account.export",
  method: "GET",
  path: "/export",
  summary: "Export the account",
  description:
    "Returns everything that the account owns as JSON lines: the account, its handles (including retired ones) with their data, and the audit log, oldest first. Data that exists during the whole export occurs exactly once; data that is added during the export may or may not be included. The last line has the type `end`.",
  auth: "token",
  stream: true,
  output: ExportLine,
});

export const exportOperations = [exportAccount] as const;
