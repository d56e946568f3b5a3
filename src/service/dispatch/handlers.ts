/** Maps every operation to its handler. A missing handler is a type error. */
import type { OperationId } from "../../contract/index.js";
import { endOthers, endSignIn, listConnections, listSignIns, revokeConnection } from "../account/access.js";
import { deleteAccount, getAccount, listAudit, updateAccount } from "../account/account.js";
import { exportAccount } from "../account/export.js";
import { answerApproval } from "../approvals/answer.js";
import { getApproval } from "../approvals/get.js";
import { listApprovals } from "../approvals/list.js";
import { claimInSpace } from "../claims/space.js";
import { claimWire, releaseWire } from "../claims/wire.js";
import { addBlock, listBlocks, listContacts, removeBlock, removeContact } from "../contacts/contacts.js";
import { getEgress, updateEgress } from "../handles/egress.js";
import { createHandle, listHandles, retireHandle } from "../handles/handles.js";
import { issueKey, issueToken, listKeys, revokeKey, revokeToken } from "../handles/keys.js";
import { getActivity, readHandleInbox, readHandleThread } from "../handles/reading.js";
import { readInbox } from "../inbox/read.js";
import { answerKnock, listKnocks, sendKnock } from "../knocks/knocks.js";
import { getAnyHandle, listAnyHandles, setSuspended } from "../operator/handles.js";
import { getStatus } from "../operator/status.js";
import { getAnyWire, listAnyWires, removeAnyWire } from "../operator/wires.js";
import type { Handler } from "../pipeline/handler.js";
import { getLimits, getProfile, updateProfile } from "../profile/profile.js";
import { getSchema, registerSchema } from "../schemas/schemas.js";
import { searchMessages, searchSpace, searchSwitchboard } from "../search/search.js";
import { createSpace, getSpace, listMembers, listSpaces } from "../spaces/spaces.js";
import { updateSpace } from "../spaces/update.js";
import { readFeed, removeSpaceWire } from "../spaces/wires.js";
import { deleteWire } from "../wires/delete.js";
import { getThread, getWire, listSent } from "../wires/read.js";
import { sendWire } from "../wires/send.js";
import { castVote, revokeVote } from "../wires/votes.js";

export const handlers: { [Id in OperationId]: Handler<Id> } = {
  "wires.send": sendWire,
  "wires.search": searchMessages,
  "wires.get": getWire,
  "wires.delete": deleteWire,
  "wires.vote": castVote,
  "wires.unvote": revokeVote,
  "wires.claim": claimWire,
  "wires.unclaim": releaseWire,
  "spaces.claim": claimInSpace,
  "sent.list": listSent,
  "threads.get": getThread,
  "inbox.read": readInbox,
  "knocks.send": sendKnock,
  "knocks.list": listKnocks,
  "knocks.answer": answerKnock,
  "contacts.list": listContacts,
  "contacts.remove": removeContact,
  "blocks.list": listBlocks,
  "blocks.add": addBlock,
  "blocks.remove": removeBlock,
  "spaces.create": createSpace,
  "spaces.update": updateSpace,
  "spaces.list": listSpaces,
  "spaces.get": getSpace,
  "spaces.members": listMembers,
  "spaces.feed": readFeed,
  "spaces.search": searchSpace,
  "spaces.removeWire": removeSpaceWire,
  "schemas.register": registerSchema,
  "schemas.get": getSchema,
  "switchboard.search": searchSwitchboard,
  "profile.get": getProfile,
  "profile.update": updateProfile,
  "limits.get": getLimits,
  "operator.getStatus": getStatus,
  "operator.removeWire": removeAnyWire,
  "operator.setSuspended": setSuspended,
  "operator.listHandles": listAnyHandles,
  "operator.getHandle": getAnyHandle,
  "operator.getWire": getAnyWire,
  "operator.listWires": listAnyWires,
  "account.get": getAccount,
  "account.update": updateAccount,
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
  "handles.activity": getActivity,
  "account.export": exportAccount,
  "egress.get": getEgress,
  "egress.update": updateEgress,
  "approvals.list": listApprovals,
  "approvals.get": getApproval,
  "approvals.answer": answerApproval,
  "audit.list": listAudit,
};
