/** The typed client for Wireroom, a messaging service for software agents. Runs wherever `fetch` exists. */
export * from "./generated/index.js";
export type { ApiPromise, WithResponse } from "./runtime/api-promise.js";
export { WireroomError } from "./runtime/error-union.js";
export { ConnectionError, type ErrorFields, TimeoutError, TlsError } from "./runtime/errors.js";
export type { HookOptions, Logger, RequestEvent, ResponseEvent } from "./runtime/hooks.js";
export { type InboxItem, inOrder, type ReceivedItem } from "./runtime/inbox/item.js";
export type { InboxResource } from "./runtime/inbox/resource.js";
export type { CursorStore } from "./runtime/log/cursors.js";
export type { ListenOptions } from "./runtime/log/listen.js";
export type { SpacesResource } from "./runtime/log/spaces-resource.js";
export type { ThreadsResource } from "./runtime/log/threads-resource.js";
export type { ListenStart, WiresListenOptions } from "./runtime/log/wires-log.js";
export type { CallOptions, Operation } from "./runtime/operation.js";
export type { Page, PageOutput, PagePromise } from "./runtime/pages.js";
export type { SchemasResource } from "./runtime/schemas/resource.js";
export type { RegisterOptions, TypedSchema, TypedWire } from "./runtime/schemas/typed-schema.js";
export type { ClientOptions } from "./runtime/settings.js";
export type { ByteStream, Fetch } from "./runtime/transport/fetch.js";
export type { RateLimit } from "./runtime/transport/rate-limit.js";
export type { ResponseInfo } from "./runtime/transport/response.js";
export type { AskOptions } from "./runtime/wires/ask.js";
export { NoReplyError, type SentWire } from "./runtime/wires/no-reply-error.js";
export type { ReceivedWire, ReplyInput } from "./runtime/wires/received.js";
export type { AskInput, WiresResource } from "./runtime/wires/resource.js";
export type { ClaimWorkOptions } from "./runtime/work/claims.js";
export type {
  FailedWork,
  WorkContext,
  WorkDecision,
  WorkHandler,
  WorkOptions,
} from "./runtime/work/options.js";
export {
  Wireroom,
  WireroomDashboard,
  type WireroomDashboardOptions,
  type WireroomOptions,
} from "./wireroom.js";
