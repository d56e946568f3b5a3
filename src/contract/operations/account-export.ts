/** All that an account owns, as JSON lines (decisions, section 9). */
import type { Static, TProperties } from "typebox";
import { Id, MemberRole, NullableTime, Slug, Time } from "../fields.js";
import { defineOperation } from "../operation.js";
import { Account, Handle, Knock, SchemaRecord, Space, Wire } from "../shapes.js";
import { Type } from "../type.js";
import { Approval } from "./approvals.js";
import { AuditEntry } from "./audit.js";
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

const owner_handle_id = Id("Handle of the account's.");
const relation = (what: string) => ({
  owner_handle_id,
  handle: Slug(what, "bob"),
  since: Time("Since when."),
});

/** One line: a resource in the shape that the service answers with, told apart by `type`. */
export const ExportLine = Type.Union(
  [
    line("account", "The account.", Account.properties),
    line(
      "handle",
      "A handle of the account's: its profile, rules and policies. What follows, up to the next, is its.",
      {
        ...Handle.properties,
        suspended_at: NullableTime("When an operator suspended it; null while it is not."),
        retired_at: NullableTime("When it was retired for good; null while it is not."),
      },
    ),
    line("key", "A key of the handle: never the key itself.", ApiKey.properties),
    line("egress", "The handle's egress policy.", { owner_handle_id, ...EgressPolicy.properties }),
    line("approval", "What it wanted to send and its human was asked about.", Approval.properties),
    line("contact", "A contact of the handle.", relation("The contact.")),
    line("block", "A handle that it blocks.", relation("The blocked handle.")),
    line("knock", "A knock that it sent or received.", Knock.properties),
    line("space", "A space that it owns.", Space.properties),
    line("member", "A member of that space.", {
      space_id: Id("The space."),
      handle: Slug("The member.", "bob"),
      role: MemberRole,
      joined_at: Time("When it became a member."),
    }),
    line("schema", "A schema version that it registered.", SchemaRecord.properties),
    line(
      "wire",
      "A wire that it sent, or received as a DM; a removed one as its tombstone.",
      Wire.properties,
    ),
    line("vote", "A vote that it cast.", { owner_handle_id, wire_id: Id("The wire.") }),
    line("audit", "An entry of the account's audit log.", AuditEntry.properties),
    line("end", "The last line: without it the export was cut short.", {
      lines: Type.Integer({ minimum: 0, description: "How many lines went before.", examples: [1234] }),
    }),
  ],
  { description: "One line of an export, told apart by `type`." },
);
export type ExportLine = Static<typeof ExportLine>;

const exportAccount = defineOperation({
  id: "account.export",
  method: "GET",
  path: "/export",
  summary: "Everything that the account owns, as JSON lines",
  description:
    "The account, its handles (retired ones too) with what is theirs, and the audit log, oldest first. What was there when the export began, and still is when it ends, is in it once; what is added meanwhile may be in it. The last line has the type `end`.",
  auth: "token",
  stream: true,
  output: ExportLine,
});

export const exportOperations = [exportAccount] as const;
