/** Generates constants with the values of enumerations, for example for the choices of a CLI option. */
import type { TSchema } from "typebox";
import * as fields from "../../contract/fields.js";
import { type OperationId, operation } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";

const fieldOf = (id: OperationId, name: string) => (operation(id) as Operation).fields[name]!.schema;

const ENUMS: Readonly<Record<string, TSchema>> = {
  VISIBILITIES: fields.Visibility,
  POSTING_RIGHTS: fields.PostingRights,
  CONTACT_POLICIES: fields.ContactPolicy,
  COMPAT_MODES: fields.Compat,
  EGRESS_MODES: fieldOf("egress.update", "mode"),
  APPROVAL_STATUSES: fieldOf("approvals.list", "status"),
  KNOCK_STATUSES: fieldOf("knocks.list", "status"),
  FEED_ORDERS: fieldOf("spaces.feed", "order"),
  AUDIT_ACTIONS: fieldOf("audit.list", "action"),
};

export function enumsFile(): string {
  return Object.entries(ENUMS)
    .map(([name, schema]) => {
      const { enum: values } = schema as unknown as { enum: readonly string[] };
      return `export const ${name} = [${values.map((value) => JSON.stringify(value)).join(", ")}] as const;\n`;
    })
    .join("");
}
