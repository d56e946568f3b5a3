/** The names of the SDK's types, classes and methods. */
import type { TSchema } from "typebox";
import { ErrorEnvelope } from "../../contract/error-envelope.js";
import * as fields from "../../contract/fields.js";
import { HOLD_FIELDS } from "../../contract/fields.js";
import type { Operation } from "../../contract/operation.js";
import { ExportLine } from "../../contract/operations/account-export.js";
import { Approval } from "../../contract/operations/approvals.js";
import { AuditEntry } from "../../contract/operations/audit.js";
import { Connection, SignIn } from "../../contract/operations/connections.js";
import { ApiKey } from "../../contract/operations/dashboard.js";
import { EgressPolicy } from "../../contract/operations/egress.js";
import { ApprovalNotice, TombstoneNotice } from "../../contract/operations/inbox.js";
import { DeletedWire } from "../../contract/operations/wires.js";
import * as shapes from "../../contract/shapes.js";

export type Json = Record<string, unknown>;

const envelope = ErrorEnvelope as unknown as {
  properties: { errors: { items: TSchema }; rule_source: TSchema };
};

/** Schemas that become named SDK types. Generated code refers to them by name. */
export const SHAPES: Record<string, TSchema> = {
  PostingRule: shapes.PostingRule,
  PostingRuleInput: shapes.PostingRuleInput,
  Wire: shapes.Wire,
  Tombstone: shapes.Tombstone,
  Claim: shapes.Claim,
  DeletedWire,
  ApprovalNotice,
  TombstoneNotice,
  SpaceNotice: shapes.SpaceNotice,
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
  Connection,
  SignIn,
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

export function nameOf(schema: unknown): string | undefined {
  return NAMES.get(JSON.stringify(schema));
}

/** Returns whether a schema describes a message's JSON payload. SDK users choose the payload's type. */
export function isPayload(schema: unknown): boolean {
  return JSON.stringify(schema) === PAYLOAD;
}

/** Returns whether the schema contains a payload. If so, its SDK type takes the type parameter `Payload`. */
export function containsPayload(schema: unknown): boolean {
  return JSON.stringify(schema).includes(PAYLOAD);
}

/** `tombstone_notices` → `TombstoneNotices`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|[_.-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the descriptor that the SDK's runtime needs to call an operation. Its SDK type is `Operation`. */
export function descriptorOf({ id, method, path, idempotent, fields }: Operation): Json {
  const isHeld = HOLD_FIELDS.some((name) => name in fields);
  const inQuery = Object.keys(fields).filter((name) => fields[name]!.place === "query");
  return {
    ...{ id, method, path },
    ...(method === "POST" && !idempotent && { once: true }),
    ...(method !== "POST" && idempotent && { keyed: true }),
    ...(method !== "GET" && inQuery.length > 0 && { query: inQuery }),
    ...(isHeld && { held: true }),
  };
}

export function nounOf(operation: Operation): string {
  return operation.id.split(".")[0]!;
}

/** Returns the file name of a noun without its extension: `signIns` → `sign-ins`. */
export function fileOf(noun: string): string {
  return noun.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function verbOf(operation: Operation): string {
  return operation.id.split(".")[1]!;
}

/** `wires` → `WiresResource`. */
export function resourceClassOf(noun: string): string {
  return `${toPascalCase(noun)}Resource`;
}

/** Returns the prefix of an operation's type names: `wires.send` → `WiresSend`. */
export function typePrefixOf(operation: Operation): string {
  return toPascalCase(operation.id);
}

export function toPlainSchema(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}
