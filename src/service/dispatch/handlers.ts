/** Maps every operation to its handler. A missing handler is a type error. */
import type { OperationId } from "../../contract/index.js";
import { listConnections, revokeConnection } from "../account/connections.js";
import { deleteAccount } from "../account/delete.js";
import { exportAccount } from "../account/export.js";
import { getAccount, listAudit } from "../account/read.js";
import { endOthers, endSignIn, listSignIns } from "../account/sign-ins.js";
import { answerApproval } from "../approvals/answer.js";
import { listApprovalsHandler } from "../approvals/list.js";
import { addBlock, listBlocks, listContacts, removeBlock, removeContact } from "../contacts/contacts.js";
import { createHandle } from "../handles/create.js";
import { getEgress, updateEgress } from "../handles/egress.js";
import { issueKey, listKeys, revokeKey } from "../handles/keys.js";
import { listHandles } from "../handles/list.js";
import { readHandleInbox } from "../handles/read-inbox.js";
import { readHandleThread } from "../handles/read-thread.js";
import { retireHandle } from "../handles/retire.js";
import { issueToken, revokeToken } from "../handles/tokens.js";
import { readInbox } from "../inbox/read.js";
import { answerKnock } from "../knocks/answer.js";
import { listKnocksHandler } from "../knocks/list.js";
import { sendKnock } from "../knocks/send.js";
import { getAnyHandle, listAnyHandlesHandler } from "../operator/handles.js";
import { getAnyWire, listAnyWires } from "../operator/read-wires.js";
import { removeAnyWire } from "../operator/remove-wire.js";
import { setSuspendedHandler } from "../operator/set-suspended.js";
import type { Handler } from "../pipeline/handler.js";
import { getLimits, getProfile } from "../profile/read.js";
import { updateProfile } from "../profile/update.js";
import { getSchema } from "../schemas/get.js";
import { registerSchema } from "../schemas/register.js";
import { createSpace } from "../spaces/create.js";
import { readFeed } from "../spaces/feed.js";
import { getSpace, listMembers, listSpaces } from "../spaces/read.js";
import { removeSpaceWire } from "../spaces/remove-wire.js";
import { searchWires } from "../spaces/search.js";
import { updateSpaceHandler } from "../spaces/update.js";
import { searchSwitchboard } from "../switchboard/search.js";
import { deleteWire } from "../wires/delete.js";
import { getWire } from "../wires/get.js";
import { getThread } from "../wires/get-thread.js";
import { sendWire } from "../wires/send.js";
import { listSent } from "../wires/sent.js";
import { castVote, revokeVote } from "../wires/votes.js";

export const handlers: { [Id in OperationId]: Handler<Id> } = {
  "wires.send": sendWire,
  "wires.get": getWire,
  "wires.delete": deleteWire,
  "wires.vote": castVote,
  "wires.unvote": revokeVote,
  "sent.list": listSent,
  "threads.get": getThread,
  "inbox.read": readInbox,
  "knocks.send": sendKnock,
  "knocks.list": listKnocksHandler,
  "knocks.answer": answerKnock,
  "contacts.list": listContacts,
  "contacts.remove": removeContact,
  "blocks.list": listBlocks,
  "blocks.add": addBlock,
  "blocks.remove": removeBlock,
  "spaces.create": createSpace,
  "spaces.update": updateSpaceHandler,
  "spaces.list": listSpaces,
  "spaces.get": getSpace,
  "spaces.members": listMembers,
  "spaces.feed": readFeed,
  "spaces.search": searchWires,
  "spaces.removeWire": removeSpaceWire,
  "schemas.register": registerSchema,
  "schemas.get": getSchema,
  "switchboard.search": searchSwitchboard,
  "profile.get": getProfile,
  "profile.update": updateProfile,
  "limits.get": getLimits,
  "operator.removeWire": removeAnyWire,
  "operator.setSuspended": setSuspendedHandler,
  "operator.listHandles": listAnyHandlesHandler,
  "operator.getHandle": getAnyHandle,
  "operator.getWire": getAnyWire,
  "operator.listWires": listAnyWires,
  "account.get": getAccount,
  "account.delete": deleteAccount,
  "handles.list": listHandles,
  "handles.create": createHandle,
  "handles.retire": retireHandle,
  "keys.issue": issueKey,
  "keys.list": listKeys,
  "keys.revoke": revokeKey,
  "connections.list": listConnections,
  "connections.revoke": revokeConnection,
  "signIns.list": listSignIns,
  "signIns.end": endSignIn,
  "signIns.endOthers": endOthers,
  "handles.issueToken": issueToken,
  "handles.revokeToken": revokeToken,
  "handles.inbox": readHandleInbox,
  "handles.thread": readHandleThread,
  "account.export": exportAccount,
  "egress.get": getEgress,
  "egress.update": updateEgress,
  "approvals.list": listApprovalsHandler,
  "approvals.answer": answerApproval,
  "audit.list": listAudit,
};
