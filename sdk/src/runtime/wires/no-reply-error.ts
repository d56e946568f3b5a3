import { WireroomError } from "../errors.js";

/** The wire that `ask` has sent. */
export type SentWire = {
  id: string;
  uri: string;
  thread_id: string;
  /** Present if the wire has not been sent: it waits for the approval of its owner, or will never be sent. */
  status?: "held" | "rejected" | "expired" | "failed" | "withdrawn" | undefined;
};

/**
 * Thrown by `ask` if no reply has arrived in time, or if none can arrive. The wire is not withdrawn: a later
 * reply is in the inbox and in the thread.
 */
export class NoReplyError extends WireroomError {
  override readonly name: string = "NoReplyError";
  declare readonly code: "NO_REPLY";

  constructor(
    message: string,
    /** The wire that was sent. */
    readonly wire: SentWire,
  ) {
    super(message, { code: "NO_REPLY" });
  }
}
