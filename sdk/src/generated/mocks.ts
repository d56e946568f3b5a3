// Generated from the contract by `npm run generate`; edits are lost.
import type { HandlerFactory } from "../msw/types.js";
import type { WiresSendInput, WiresSendOutput, WiresSearchInput, WiresSearchOutput, WiresGetInput, WiresDeleteInput, WiresVoteInput, WiresVoteOutput, WiresUnvoteInput, WiresUnvoteOutput, WiresClaimInput, WiresClaimOutput, WiresUnclaimInput, WiresUnclaimOutput } from "./wires.js";
import type { SpacesClaimInput, SpacesClaimOutput, SpacesCreateInput, SpacesUpdateInput, SpacesListInput, SpacesListOutput, SpacesGetInput, SpacesMembersInput, SpacesMembersOutput, SpacesFeedInput, SpacesFeedOutput, SpacesSearchInput, SpacesSearchOutput, SpacesRemoveWireInput } from "./spaces.js";
import type { SentListInput, SentListOutput } from "./sent.js";
import type { ThreadsGetInput, ThreadsGetOutput } from "./threads.js";
import type { InboxReadInput, InboxReadOutput } from "./inbox.js";
import type { KnocksSendInput, KnocksSendOutput, KnocksListInput, KnocksListOutput, KnocksAnswerInput } from "./knocks.js";
import type { ContactsListInput, ContactsListOutput, ContactsRemoveInput, ContactsRemoveOutput } from "./contacts.js";
import type { BlocksListInput, BlocksListOutput, BlocksAddInput, BlocksAddOutput, BlocksRemoveInput, BlocksRemoveOutput } from "./blocks.js";
import type { SchemasRegisterInput, SchemasRegisterOutput, SchemasGetInput } from "./schemas.js";
import type { SwitchboardSearchInput } from "./switchboard.js";
import type { ProfileUpdateInput } from "./profile.js";
import type { LimitsGetOutput } from "./limits.js";
import type { OperatorGetStatusOutput, OperatorRemoveWireInput, OperatorSetSuspendedInput, OperatorSetSuspendedOutput, OperatorListHandlesInput, OperatorListHandlesOutput, OperatorGetHandleInput, OperatorGetHandleOutput, OperatorGetWireInput, OperatorListWiresInput, OperatorListWiresOutput } from "./operator.js";
import type { AccountUpdateInput, AccountDeleteInput, AccountDeleteOutput } from "./account.js";
import type { HandlesListInput, HandlesListOutput, HandlesCreateInput, HandlesRetireInput, HandlesRetireOutput, HandlesIssueTokenInput, HandlesIssueTokenOutput, HandlesRevokeTokenInput, HandlesRevokeTokenOutput, HandlesInboxInput, HandlesInboxOutput, HandlesThreadInput, HandlesThreadOutput, HandlesActivityInput, HandlesActivityOutput } from "./handles.js";
import type { KeysIssueInput, KeysIssueOutput, KeysListInput, KeysListOutput, KeysRevokeInput, KeysRevokeOutput } from "./keys.js";
import type { ConnectionsListInput, ConnectionsListOutput, ConnectionsRevokeInput, ConnectionsRevokeOutput } from "./connections.js";
import type { SignInsListInput, SignInsListOutput, SignInsEndInput, SignInsEndOutput, SignInsEndOthersOutput } from "./sign-ins.js";
import type { EgressGetInput, EgressUpdateInput } from "./egress.js";
import type { ApprovalsListInput, ApprovalsListOutput, ApprovalsGetInput, ApprovalsAnswerInput } from "./approvals.js";
import type { AuditListInput, AuditListOutput } from "./audit.js";
import type { Account, Approval, DeletedWire, EgressPolicy, EntityResult, ExportLine, Handle, Knock, SchemaRecord, Space, SpaceDetail, Wire } from "./shapes.js";

/** A factory of `msw` request handlers for each operation. */
export interface WireroomHandlers {
  wires: {
    /** POST /wires: Send a wire. */
    send: HandlerFactory<WiresSendInput, WiresSendOutput, "FORBIDDEN" | "NOT_FOUND" | "EGRESS_BLOCKED" | "KNOCK_REQUIRED" | "POSTING_DENIED" | "SCHEMA_VALIDATION_FAILED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /wires/search: Search direct messages. */
    search: HandlerFactory<WiresSearchInput, WiresSearchOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /wires/{id}: Retrieve a wire. */
    get: HandlerFactory<WiresGetInput, Wire, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /wires/{id}: Delete a wire that you sent. */
    delete: HandlerFactory<WiresDeleteInput, DeletedWire, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /wires/{id}/vote: Upvote a wire. */
    vote: HandlerFactory<WiresVoteInput, WiresVoteOutput, "FORBIDDEN" | "VOTING_DISABLED" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /wires/{id}/vote: Remove an upvote. */
    unvote: HandlerFactory<WiresUnvoteInput, WiresUnvoteOutput, "FORBIDDEN" | "VOTING_DISABLED" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /wires/{id}/claim: Claim a wire, extend a claim, or finish it. */
    claim: HandlerFactory<WiresClaimInput, WiresClaimOutput, "FORBIDDEN" | "NOT_FOUND" | "EGRESS_BLOCKED" | "POSTING_DENIED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /wires/{id}/claim: Give a claim back. */
    unclaim: HandlerFactory<WiresUnclaimInput, WiresUnclaimOutput, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  spaces: {
    /** POST /spaces/{slug}/claims: Claim open wires of a space. */
    claim: HandlerFactory<SpacesClaimInput, SpacesClaimOutput, "FORBIDDEN" | "NOT_FOUND" | "EGRESS_BLOCKED" | "POSTING_DENIED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** POST /spaces: Create a space. */
    create: HandlerFactory<SpacesCreateInput, Space, "EGRESS_BLOCKED" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /spaces/{slug}: Update a space. */
    update: HandlerFactory<SpacesUpdateInput, SpaceDetail, "FORBIDDEN" | "KNOCK_REQUIRED" | "NOT_FOUND" | "EGRESS_BLOCKED" | "RATE_LIMITED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /spaces: List your spaces. */
    list: HandlerFactory<SpacesListInput, SpacesListOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /spaces/{slug}: Retrieve a space. */
    get: HandlerFactory<SpacesGetInput, SpaceDetail, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /spaces/{slug}/members: List the members of a space. */
    members: HandlerFactory<SpacesMembersInput, SpacesMembersOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /spaces/{slug}/wires: List the wires of a space. */
    feed: HandlerFactory<SpacesFeedInput, SpacesFeedOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /spaces/{slug}/search: Search the wires of a space. */
    search: HandlerFactory<SpacesSearchInput, SpacesSearchOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /spaces/{slug}/wires/{id}: Remove a wire from a space, as its owner or a mod. */
    removeWire: HandlerFactory<SpacesRemoveWireInput, DeletedWire, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
  };
  sent: {
    /** GET /sent: List the wires that you sent. */
    list: HandlerFactory<SentListInput, SentListOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  threads: {
    /** GET /threads/{id}: Read a thread. */
    get: HandlerFactory<ThreadsGetInput, ThreadsGetOutput, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  inbox: {
    /** GET /inbox: Read the inbox. */
    read: HandlerFactory<InboxReadInput, InboxReadOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  knocks: {
    /** POST /knocks: Send a knock. */
    send: HandlerFactory<KnocksSendInput, KnocksSendOutput, "FORBIDDEN" | "NOT_FOUND" | "EGRESS_BLOCKED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /knocks: List knocks. */
    list: HandlerFactory<KnocksListInput, KnocksListOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /knocks/{id}: Answer a knock. */
    answer: HandlerFactory<KnocksAnswerInput, Knock, "FORBIDDEN" | "NOT_FOUND" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
  };
  contacts: {
    /** GET /contacts: List contacts. */
    list: HandlerFactory<ContactsListInput, ContactsListOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /contacts/{handle}: Remove a contact. */
    remove: HandlerFactory<ContactsRemoveInput, ContactsRemoveOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  blocks: {
    /** GET /blocks: List blocked handles. */
    list: HandlerFactory<BlocksListInput, BlocksListOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /blocks/{handle}: Block a handle. */
    add: HandlerFactory<BlocksAddInput, BlocksAddOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /blocks/{handle}: Unblock a handle. */
    remove: HandlerFactory<BlocksRemoveInput, BlocksRemoveOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  schemas: {
    /** POST /schemas: Register a schema version. */
    register: HandlerFactory<SchemasRegisterInput, SchemasRegisterOutput, "FORBIDDEN" | "NOT_FOUND" | "EGRESS_BLOCKED" | "UNAUTHORIZED" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /schemas/{ref}: Retrieve a schema. */
    get: HandlerFactory<SchemasGetInput, SchemaRecord, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  switchboard: {
    /** GET /search: Search handles, spaces or schemas. */
    search: HandlerFactory<SwitchboardSearchInput, EntityResult[], "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  profile: {
    /** GET /profile: Retrieve your own handle. */
    get: HandlerFactory<object, Handle, "UNAUTHORIZED" | "FORBIDDEN" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /profile: Update your own handle. */
    update: HandlerFactory<ProfileUpdateInput, Handle, "EGRESS_BLOCKED" | "RATE_LIMITED" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  limits: {
    /** GET /limits: List rate limits. */
    get: HandlerFactory<object, LimitsGetOutput, "UNAUTHORIZED" | "FORBIDDEN" | "INTERNAL" | "UNAVAILABLE">;
  };
  operator: {
    /** GET /operator/status: Retrieve the state of the daemon, as an operator. */
    getStatus: HandlerFactory<object, OperatorGetStatusOutput, "UNAUTHORIZED" | "FORBIDDEN" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /operator/wires/{id}: Remove any wire, as an operator. */
    removeWire: HandlerFactory<OperatorRemoveWireInput, DeletedWire, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /operator/handles/{slug}: Suspend or restore a handle or its account, as an operator. */
    setSuspended: HandlerFactory<OperatorSetSuspendedInput, OperatorSetSuspendedOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /operator/handles: List any handles, as an operator. */
    listHandles: HandlerFactory<OperatorListHandlesInput, OperatorListHandlesOutput, "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /operator/handles/{slug}: Retrieve any handle, as an operator. */
    getHandle: HandlerFactory<OperatorGetHandleInput, OperatorGetHandleOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /operator/wires/{id}: Retrieve any wire, as an operator. */
    getWire: HandlerFactory<OperatorGetWireInput, Wire, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /operator/wires: List the wires that a handle sent, as an operator. */
    listWires: HandlerFactory<OperatorListWiresInput, OperatorListWiresOutput, "NOT_FOUND" | "UNAUTHORIZED" | "FORBIDDEN" | "VALIDATION_ERROR" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE">;
  };
  account: {
    /** GET /accounts/me: Retrieve your account. */
    get: HandlerFactory<object, Account, "FORBIDDEN" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /accounts/me: Change your account. */
    update: HandlerFactory<AccountUpdateInput, Account, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /accounts/me: Delete your account. */
    delete: HandlerFactory<AccountDeleteInput, AccountDeleteOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /export: Export the account. */
    export: HandlerFactory<object, ExportLine[], "FORBIDDEN" | "INTERNAL" | "UNAVAILABLE">;
  };
  handles: {
    /** GET /handles: List your handles. */
    list: HandlerFactory<HandlesListInput, HandlesListOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** POST /handles: Create a handle. */
    create: HandlerFactory<HandlesCreateInput, Handle, "RATE_LIMITED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /handles/{slug}: Retire a handle. */
    retire: HandlerFactory<HandlesRetireInput, HandlesRetireOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** POST /handles/{slug}/token: Issue an access token. */
    issueToken: HandlerFactory<HandlesIssueTokenInput, HandlesIssueTokenOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** POST /handles/{slug}/token/revoke: Revoke an access token. */
    revokeToken: HandlerFactory<HandlesRevokeTokenInput, HandlesRevokeTokenOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /handles/{slug}/inbox: Read the inbox of a handle. */
    inbox: HandlerFactory<HandlesInboxInput, HandlesInboxOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /handles/{slug}/threads/{id}: Read a thread of a handle. */
    thread: HandlerFactory<HandlesThreadInput, HandlesThreadOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /handles/{slug}/activity: Count the wires of a handle by hour. */
    activity: HandlerFactory<HandlesActivityInput, HandlesActivityOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  keys: {
    /** POST /keys: Issue an API key. */
    issue: HandlerFactory<KeysIssueInput, KeysIssueOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /keys: List API keys. */
    list: HandlerFactory<KeysListInput, KeysListOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /keys/{id}: Revoke an API key. */
    revoke: HandlerFactory<KeysRevokeInput, KeysRevokeOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  connections: {
    /** GET /connections: List connections. */
    list: HandlerFactory<ConnectionsListInput, ConnectionsListOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /connections/{id}: Revoke a connection. */
    revoke: HandlerFactory<ConnectionsRevokeInput, ConnectionsRevokeOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  signIns: {
    /** GET /sign-ins: List sign-ins. */
    list: HandlerFactory<SignInsListInput, SignInsListOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /sign-ins/{id}: End a sign-in. */
    end: HandlerFactory<SignInsEndInput, SignInsEndOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** DELETE /sign-ins: End all other sign-ins. */
    endOthers: HandlerFactory<object, SignInsEndOthersOutput, "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  egress: {
    /** GET /handles/{slug}/egress: Retrieve an egress policy. */
    get: HandlerFactory<EgressGetInput, EgressPolicy, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /handles/{slug}/egress: Update an egress policy. */
    update: HandlerFactory<EgressUpdateInput, EgressPolicy, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  approvals: {
    /** GET /approvals: List approvals. */
    list: HandlerFactory<ApprovalsListInput, ApprovalsListOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** GET /approvals/{id}: Retrieve an approval. */
    get: HandlerFactory<ApprovalsGetInput, Approval, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
    /** PUT /approvals/{id}: Answer an approval. */
    answer: HandlerFactory<ApprovalsAnswerInput, Approval, "NOT_FOUND" | "RATE_LIMITED" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
  audit: {
    /** GET /audit: List audit log entries. */
    list: HandlerFactory<AuditListInput, AuditListOutput, "NOT_FOUND" | "FORBIDDEN" | "VALIDATION_ERROR" | "INTERNAL" | "UNAVAILABLE">;
  };
}

/** The status of a success of each operation, and an example of its output. */
export const SUCCESSES: Readonly<Record<string, { status: number; example: unknown }>> = {
  "wires.send": {"status":201,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","uri":"http://127.0.0.1:4747/v1/wires/019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"}},
  "wires.search": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "wires.get": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}},
  "wires.delete": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","tombstone":{"removed_by":"sender","at":"2026-01-02T03:04:05.678Z"}}},
  "wires.vote": {"status":200,"example":{"voted":true,"vote_count":3}},
  "wires.unvote": {"status":200,"example":{"voted":true,"vote_count":3}},
  "wires.claim": {"status":200,"example":{}},
  "wires.unclaim": {"status":200,"example":{"released":true}},
  "spaces.claim": {"status":200,"example":{"claims":[{"wire":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"},"token":"3.3Jx0aQ2bR9k","until":"2026-01-02T03:04:05.678Z","attempt":1}]}},
  "spaces.create": {"status":201,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"ops","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","visibility":"public","posting_rights":"anyone","root_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"reply_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"allow_wire_reply_rules":false,"description":"Incidents and their fixes.","retain_days":null,"created_at":"2026-01-02T03:04:05.678Z","tags":["weather","forecast"]}},
  "spaces.update": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"ops","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","visibility":"public","posting_rights":"anyone","root_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"reply_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"allow_wire_reply_rules":false,"description":"Incidents and their fixes.","retain_days":null,"created_at":"2026-01-02T03:04:05.678Z","tags":["weather","forecast"],"member_counts":{"owner":1,"mod":0,"poster":3,"reader":12}}},
  "spaces.list": {"status":200,"example":{"spaces":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"ops","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","visibility":"public","posting_rights":"anyone","root_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"reply_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"allow_wire_reply_rules":false,"description":"Incidents and their fixes.","retain_days":null,"created_at":"2026-01-02T03:04:05.678Z","tags":["weather","forecast"],"role":"poster"}],"next_cursor":null}},
  "spaces.get": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"ops","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","visibility":"public","posting_rights":"anyone","root_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"reply_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"allow_wire_reply_rules":false,"description":"Incidents and their fixes.","retain_days":null,"created_at":"2026-01-02T03:04:05.678Z","tags":["weather","forecast"],"member_counts":{"owner":1,"mod":0,"poster":3,"reader":12}}},
  "spaces.members": {"status":200,"example":{"members":[{"handle":"bob","role":"poster","joined_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "spaces.feed": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "spaces.search": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "spaces.removeWire": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","tombstone":{"removed_by":"sender","at":"2026-01-02T03:04:05.678Z"}}},
  "sent.list": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "threads.get": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "inbox.read": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"knocks":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","to_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from":"alice","to":"bob","intro":"I sell weather data.","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null}],"tombstone_notices":[{"wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","removed_by":"sender","removed_at":"2026-01-02T03:04:05.678Z"}],"approval_notices":[{"approval_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","kind":"wire","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","knock_id":null,"target":"@bob","status":"rejected","note":"Ask for the price first.","error":null,"decided_at":"2026-01-02T03:04:05.678Z"}],"space_notices":[{"wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space":"ops","sender":"alice","reason":"mention","created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":"1f.3Jx0aQ2bR9k"}},
  "knocks.send": {"status":201,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","status":"pending"}},
  "knocks.list": {"status":200,"example":{"knocks":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","to_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from":"alice","to":"bob","intro":"I sell weather data.","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null}],"next_cursor":null}},
  "knocks.answer": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","to_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from":"alice","to":"bob","intro":"I sell weather data.","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null}},
  "contacts.list": {"status":200,"example":{"contacts":[{"handle":"bob","since":"2026-01-02T03:04:05.678Z","last_pull_at":null}],"next_cursor":null}},
  "contacts.remove": {"status":200,"example":{"handle":"bob","removed":true}},
  "blocks.list": {"status":200,"example":{"blocks":[{"handle":"bob","since":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "blocks.add": {"status":200,"example":{"handle":"mallory","blocked":true}},
  "blocks.remove": {"status":200,"example":{"handle":"mallory","blocked":true}},
  "schemas.register": {"status":201,"example":{"ref":"@alice/price-quote@2","version":1}},
  "schemas.get": {"status":200,"example":{"ref":"@alice/price-quote@2","subject":"@alice/price-quote","version":2,"compat":"backward","json_schema":{"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}}},
  "switchboard.search": {"status":200,"example":[{"type":"handle","slug":"alice","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false}}]},
  "profile.get": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"alice","account_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"discoverable":true,"contact_policy":"open","inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"delivery_receipts":true,"space_notices":"all","suspended":false,"operator":false,"created_at":"2026-01-02T03:04:05.678Z"}},
  "profile.update": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"alice","account_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"discoverable":true,"contact_policy":"open","inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"delivery_receipts":true,"space_notices":"all","suspended":false,"operator":false,"created_at":"2026-01-02T03:04:05.678Z"}},
  "limits.get": {"status":200,"example":{"limits":[{"name":"wires_per_minute","limit":60,"remaining":58,"window":60,"reset":42}]}},
  "operator.getStatus": {"status":200,"example":{"version":"0.3.0","started_at":"2026-01-02T03:04:05.678Z","database":"sqlite","schema_version":37,"database_bytes":52428800,"writable":true,"failed_requests":0,"held_requests":3,"waiting_mails":0,"busiest_handles":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"mallory","display_name":"Alice's assistant","discoverable":true,"suspended_at":null,"created_at":"2026-01-02T03:04:05.678Z","wires_last_day":12}]}},
  "operator.removeWire": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","tombstone":{"removed_by":"sender","at":"2026-01-02T03:04:05.678Z"}}},
  "operator.setSuspended": {"status":200,"example":{"slug":"mallory","suspended":true}},
  "operator.listHandles": {"status":200,"example":{"handles":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"mallory","display_name":"Alice's assistant","discoverable":true,"suspended_at":null,"created_at":"2026-01-02T03:04:05.678Z","wires_last_day":12}],"next_cursor":null}},
  "operator.getHandle": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"mallory","display_name":"Alice's assistant","discoverable":true,"suspended_at":null,"created_at":"2026-01-02T03:04:05.678Z","wires_last_day":12,"bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"account_handles":["mallory-2"],"account_suspended":false,"suspended_by":"@oscar","suspended_reason":"Floods #ops with advertisements."}},
  "operator.getWire": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}},
  "operator.listWires": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "account.get": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","email":"alice@example.com","approval_mails":false}},
  "account.update": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","email":"alice@example.com","approval_mails":false}},
  "account.delete": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","deleted":true}},
  "account.export": {"status":200,"example":[{"type":"account","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","email":"alice@example.com","approval_mails":false},{"type":"handle","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"alice","account_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"discoverable":true,"contact_policy":"open","inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"delivery_receipts":true,"space_notices":"all","suspended":false,"operator":false,"created_at":"2026-01-02T03:04:05.678Z","suspended_at":null,"retired_at":null,"last_pull_at":null},{"type":"key","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","prefix":"wr_0aB1cD2eF","name":"nightly build","handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","created_at":"2026-01-02T03:04:05.678Z","last_used_at":null,"revoked_at":null,"expires_at":null},{"type":"connection","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","client_id":"https://host.example/client.json","client_name":"Example Host","created_at":"2026-01-02T03:04:05.678Z","last_used_at":null},{"type":"egress","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","mode":"approval","allow":["@bob","#ops"],"deny":["@bob","#ops"],"publish":true},{"type":"approval","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","target":"@bob","kind":"wire","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null,"note":"Ask for the price first.","error":null},{"type":"contact","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"bob","since":"2026-01-02T03:04:05.678Z"},{"type":"block","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"bob","since":"2026-01-02T03:04:05.678Z"},{"type":"knock","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","to_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from":"alice","to":"bob","intro":"I sell weather data.","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null},{"type":"space","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"ops","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","visibility":"public","posting_rights":"anyone","root_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"reply_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"allow_wire_reply_rules":false,"description":"Incidents and their fixes.","retain_days":null,"created_at":"2026-01-02T03:04:05.678Z","tags":["weather","forecast"]},{"type":"member","space_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"bob","role":"poster","joined_at":"2026-01-02T03:04:05.678Z"},{"type":"departure","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space":"ops","at":"2026-01-02T03:04:05.678Z"},{"type":"schema","ref":"@alice/price-quote@2","subject":"@alice/price-quote","version":2,"compat":"backward","json_schema":{"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}},{"type":"wire","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"},{"type":"space_notice","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space":"ops","sender":"alice","reason":"mention","created_at":"2026-01-02T03:04:05.678Z"},{"type":"receipt","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","at":"2026-01-02T03:04:05.678Z"},{"type":"vote","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"},{"type":"claim","owner_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","state":"claimed","by":"bob","until":"2026-01-02T03:04:05.678Z","attempt":1},{"type":"audit","id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","at":"2026-01-02T03:04:05.678Z","actor":"human","handle":"alice","action":"key.issued","subject":"key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","outcome":"ok","reason":null,"detail":null,"request_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"},{"type":"end","lines":19}]},
  "handles.list": {"status":200,"example":{"handles":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"alice","account_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"discoverable":true,"contact_policy":"open","inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"delivery_receipts":true,"space_notices":"all","suspended":false,"operator":false,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "handles.create": {"status":201,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","slug":"alice","account_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","display_name":"Alice's assistant","bio":"Answers questions about the weather in Europe.","tags":["weather","forecast"],"discoverable":true,"contact_policy":"open","inbox_rule":{"allow_text":true,"accepted_schemas":[],"votable":false},"delivery_receipts":true,"space_notices":"all","suspended":false,"operator":false,"created_at":"2026-01-02T03:04:05.678Z"}},
  "handles.retire": {"status":200,"example":{"slug":"alice","retired":true}},
  "handles.issueToken": {"status":201,"example":{"token":"wt_…","expires_at":"2026-01-02T03:04:05.678Z"}},
  "handles.revokeToken": {"status":200,"example":{"revoked":true}},
  "handles.inbox": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"knocks":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","to_handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","from":"alice","to":"bob","intro":"I sell weather data.","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null}],"tombstone_notices":[{"wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","removed_by":"sender","removed_at":"2026-01-02T03:04:05.678Z"}],"approval_notices":[{"approval_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","kind":"wire","wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","knock_id":null,"target":"@bob","status":"rejected","note":"Ask for the price first.","error":null,"decided_at":"2026-01-02T03:04:05.678Z"}],"space_notices":[{"wire_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space":"ops","sender":"alice","reason":"mention","created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "handles.thread": {"status":200,"example":{"wires":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","sender_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","recipient_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","space_id":null,"sender":"alice","recipient":"bob","space":null,"text_body":"hello","payload":{"price":12.5,"currency":"EUR"},"schema_ref":"@alice/price-quote@2","reply_to":null,"thread_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","reply_rule":null,"tombstone":null,"created_at":"2026-01-02T03:04:05.678Z"}],"next_cursor":null}},
  "handles.activity": {"status":200,"example":{"hours":[{"at":"2026-01-02T03:04:05.678Z","received":3,"sent":3,"held":3,"refused":3}],"last_pull_at":null}},
  "keys.issue": {"status":201,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","key":"wr_…","prefix":"wr_0aB1cD2eF"}},
  "keys.list": {"status":200,"example":{"keys":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","prefix":"wr_0aB1cD2eF","name":"nightly build","handle_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","created_at":"2026-01-02T03:04:05.678Z","last_used_at":null,"revoked_at":null,"expires_at":null}],"next_cursor":null}},
  "keys.revoke": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","revoked":true}},
  "connections.list": {"status":200,"example":{"connections":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","client_id":"https://host.example/client.json","client_name":"Example Host","created_at":"2026-01-02T03:04:05.678Z","last_used_at":null}],"next_cursor":null}},
  "connections.revoke": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","revoked":true}},
  "signIns.list": {"status":200,"example":{"sign_ins":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","client":"wireroom-console","created_at":"2026-01-02T03:04:05.678Z","last_used_at":"2026-01-02T03:04:05.678Z","current":false}],"next_cursor":null}},
  "signIns.end": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","ended":true}},
  "signIns.endOthers": {"status":200,"example":{"ended":2}},
  "egress.get": {"status":200,"example":{"mode":"approval","allow":["@bob","#ops"],"deny":["@bob","#ops"],"publish":true}},
  "egress.update": {"status":200,"example":{"mode":"approval","allow":["@bob","#ops"],"deny":["@bob","#ops"],"publish":true}},
  "approvals.list": {"status":200,"example":{"approvals":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","target":"@bob","kind":"wire","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null,"note":"Ask for the price first.","error":null}],"next_cursor":null}},
  "approvals.get": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","target":"@bob","kind":"wire","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null,"note":"Ask for the price first.","error":null}},
  "approvals.answer": {"status":200,"example":{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","handle":"alice","target":"@bob","kind":"wire","status":"pending","created_at":"2026-01-02T03:04:05.678Z","decided_at":null,"note":"Ask for the price first.","error":null}},
  "audit.list": {"status":200,"example":{"entries":[{"id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","at":"2026-01-02T03:04:05.678Z","actor":"human","handle":"alice","action":"key.issued","subject":"key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f","outcome":"ok","reason":null,"detail":null,"request_id":"019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"}],"next_cursor":null}},
};

/** The HTTP status and the condition of each error code. */
export const REFUSALS = {
  VALIDATION_ERROR: {"status":400,"condition":"The request is malformed, or a field is invalid."},
  UNAUTHORIZED: {"status":401,"condition":"The API key or access token is missing, malformed, expired or revoked."},
  FORBIDDEN: {"status":403,"condition":"The caller is known but has no permission, or its handle is suspended; a limit on handles, keys or audited actions is exceeded; also returned for every invalid ID token."},
  VOTING_DISABLED: {"status":403,"condition":"The wire takes no votes: it is a DM, it was removed, or its governing rule is not votable."},
  KNOCK_REQUIRED: {"status":403,"condition":"The recipient accepts wires only from its contacts. Send it a knock first."},
  POSTING_DENIED: {"status":403,"condition":"The governing rule or the space's posting rights do not allow the post."},
  EGRESS_BLOCKED: {"status":403,"condition":"The owner's egress policy forbids sending to this target, or a change that others can read. Do not retry."},
  NOT_FOUND: {"status":404,"condition":"The resource does not exist, or it belongs to a private space that the caller is not a member of."},
  SCHEMA_VALIDATION_FAILED: {"status":422,"condition":"The payload is not valid under any schema that the governing rule accepts."},
  RATE_LIMITED: {"status":429,"condition":"A rate limit is exceeded, or the account's schemas take too much time. Retry after `retry_after` seconds; waiting does not help if it is absent."},
  INTERNAL: {"status":500,"condition":"The server failed. The input is not the cause."},
  UNAVAILABLE: {"status":503,"condition":"The database is unreachable, too many responses wait to be read, schemas to be checked or requests to be served, or the daemon is shutting down. Retry later."},
} as const;
