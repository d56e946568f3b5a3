/** Messages to and from the worker thread that validates. */
export interface CheckJob {
  schema: unknown;
  payload: unknown;
}

/** A reason as in the error envelope. */
export interface CheckReason {
  instancePath: string;
  keyword: string;
  message: string;
}

/** `unusable` says why the document is no schema; otherwise `reasons` is empty for a valid payload. */
export type CheckOutcome = { unusable: string } | { reasons: CheckReason[] };
