/** Shapes to which the SDK gives names; wherever one stands in the contract, the SDK refers to it. */
import type { TSchema } from "typebox";
import { ErrorEnvelope } from "../../contract/error-envelope.js";
import * as fields from "../../contract/fields.js";
import type { Operation } from "../../contract/operation.js";
import { ExportLine } from "../../contract/operations/account-export.js";
import { Approval } from "../../contract/operations/approvals.js";
import { AuditEntry } from "../../contract/operations/audit.js";
import { ApiKey } from "../../contract/operations/dashboard.js";
import { EgressPolicy } from "../../contract/operations/egress.js";
import { TombstoneNotice } from "../../contract/operations/inbox.js";
import { DeletedWire } from "../../contract/operations/wires.js";
import * as shapes from "../../contract/shapes.js";

export type Json = Record<string, unknown>;

const envelope = ErrorEnvelope as unknown as {
  properties: { errors: { items: TSchema }; rule_source: TSchema };
};

export const SHAPES: Record<string, TSchema> = {
  PostingRule: shapes.PostingRule,
  PostingRuleInput: shapes.PostingRuleInput,
  Wire: shapes.Wire,
  Tombstone: shapes.Tombstone,
  DeletedWire,
  TombstoneNotice,
  Knock: shapes.Knock,
  Account: shapes.Account,
  Handle: shapes.Handle,
  Space: shapes.Space,
  SpaceDetail: shapes.SpaceDetail,
  SpaceWithRole: shapes.SpaceWithRole,
  SchemaRecord: shapes.SchemaRecord,
  EntityResult: shapes.EntityResult,
  EgressPolicy,
  Approval,
  ApiKey,
  AuditEntry,
  ExportLine,
  ErrorEnvelope,
  Reason: envelope.properties.errors.items,
  RuleSource: envelope.properties.rule_source,
  Visibility: fields.Visibility,
  PostingRights: fields.PostingRights,
  ContactPolicy: fields.ContactPolicy,
  Compat: fields.Compat,
  MemberRole: fields.MemberRole,
};

const NAMES = new Map(Object.entries(SHAPES).map(([name, schema]) => [JSON.stringify(schema), name]));
const PAYLOAD = JSON.stringify(shapes.Payload);

/** The name of a shape that has one. */
export function nameOf(schema: unknown): string | undefined {
  return NAMES.get(JSON.stringify(schema));
}

/** Whether the schema is that of a wire's payload, whose type the SDK's user chooses. */
export function isPayload(schema: unknown): boolean {
  return JSON.stringify(schema) === PAYLOAD;
}

/** Whether a payload stands anywhere in it: such a type takes the payload's as a parameter. */
export function holdsPayload(schema: unknown): boolean {
  return JSON.stringify(schema).includes(PAYLOAD);
}

/** `tombstone_notices` → `TombstoneNotices`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_.-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function nounOf(operation: Operation): string {
  return operation.id.split(".")[0]!;
}

export function verbOf(operation: Operation): string {
  return operation.id.split(".")[1]!;
}

/** `wires` → `WiresResource`. */
export function resourceClassOf(noun: string): string {
  return `${pascal(noun)}Resource`;
}

/** What the names of an operation's types begin with: `wires.send` → `WiresSend`. */
export function stemOf(operation: Operation): string {
  return pascal(operation.id);
}

/** TypeBox keeps notes of its own beside a schema; this is the schema alone. */
export function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}
