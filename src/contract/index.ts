/** The only registry of operations. What is not listed here does not exist on any surface. */
import type { Static } from "typebox";
import type { Encodable } from "../kernel/verbatim.js";
import type { InputOf, Operation } from "./operation.js";
import { exportOperations } from "./operations/account-export.js";
import { approvalOperations } from "./operations/approvals.js";
import { auditOperations } from "./operations/audit.js";
import { contactOperations } from "./operations/contacts.js";
import { dashboardOperations } from "./operations/dashboard.js";
import { egressOperations } from "./operations/egress.js";
import { inboxOperations } from "./operations/inbox.js";
import { knockOperations } from "./operations/knocks.js";
import { operatorOperations } from "./operations/operator.js";
import { profileOperations } from "./operations/profile.js";
import { schemaOperations } from "./operations/schemas.js";
import { spaceOperations } from "./operations/spaces.js";
import { switchboardOperations } from "./operations/switchboard.js";
import { threadOperations } from "./operations/threads.js";
import { wireOperations } from "./operations/wires.js";

/** Version of the machine-readable description (specification, section 9). */
export const CONTRACT_VERSION = "0.3.0";

const registry = [
  ...wireOperations,
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
  ...egressOperations,
  ...approvalOperations,
  ...auditOperations,
  ...exportOperations,
] as const;

type Registered = (typeof registry)[number];
export type OperationId = Registered["id"];

type ById = { [Op in Registered as Op["id"]]: Op };

/** Every operation, in the order of the documents. */
export const operations: readonly Operation[] = registry as unknown as readonly Operation[];

/** The operation of an id. */
export function operation<Id extends OperationId>(id: Id): Operation<Id> {
  return operations.find((candidate) => candidate.id === id) as Operation<Id>;
}

/** What a handler of the operation takes. */
export type Input<Id extends OperationId> = InputOf<ById[Id]["fields"]>;
/** The response body of the operation. */
export type Output<Id extends OperationId> = Static<ById[Id]["output"]>;
/** The same, in which parts may stand as ready-made JSON. */
export type Answer<Id extends OperationId> = Encodable<Output<Id>>;
export type AuthOf<Id extends OperationId> = ById[Id]["auth"];
