/** The registry of operations. REST, MCP, the OpenAPI document and the SDK offer exactly these operations. */
import type { Static } from "typebox";
import type { Encodable } from "../kernel/raw-json.js";
import type { InputOf, Operation } from "./operation.js";
import { exportOperations } from "./operations/account-export.js";
import { approvalOperations } from "./operations/approvals.js";
import { auditOperations } from "./operations/audit.js";
import { claimOperations } from "./operations/claims.js";
import { connectionOperations } from "./operations/connections.js";
import { contactOperations } from "./operations/contacts.js";
import { dashboardOperations } from "./operations/dashboard.js";
import { egressOperations } from "./operations/egress.js";
import { inboxOperations } from "./operations/inbox.js";
import { knockOperations } from "./operations/knocks.js";
import { operatorOperations } from "./operations/operator.js";
import { profileOperations } from "./operations/profile.js";
import { readerOperations } from "./operations/reader.js";
import { schemaOperations } from "./operations/schemas.js";
import { sentOperations } from "./operations/sent.js";
import { spaceOperations } from "./operations/spaces.js";
import { switchboardOperations } from "./operations/switchboard.js";
import { threadOperations } from "./operations/threads.js";
import { wireOperations } from "./operations/wires.js";

/** The version of the API, as in the OpenAPI document (docs/specification/requests.md#versioning). */
export const CONTRACT_VERSION = "0.3.0";

const registry = [
  ...wireOperations,
  ...claimOperations,
  ...sentOperations,
  ...threadOperations,
  ...inboxOperations,
  ...knockOperations,
  ...contactOperations,
  ...spaceOperations,
  ...schemaOperations,
  ...switchboardOperations,
  ...profileOperations,
  ...operatorOperations,
  ...dashboardOperations,
  ...connectionOperations,
  ...readerOperations,
  ...egressOperations,
  ...approvalOperations,
  ...auditOperations,
  ...exportOperations,
] as const;

type Registered = (typeof registry)[number];
export type OperationId = Registered["id"];

type ById = { [Op in Registered as Op["id"]]: Op };

/** Every operation, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = registry as unknown as readonly Operation[];

export function operation<Id extends OperationId>(id: Id): Operation<Id> {
  return operations.find((candidate) => candidate.id === id) as Operation<Id>;
}

export type Input<Id extends OperationId> = InputOf<ById[Id]["fields"]>;
/** The response body of the operation. */
export type Output<Id extends OperationId> = Static<ById[Id]["output"]>;
/** The operation's response body. Any part of it may already be serialised as JSON. */
export type EncodableOutput<Id extends OperationId> = Encodable<Output<Id>>;
export type AuthOf<Id extends OperationId> = ById[Id]["auth"];
