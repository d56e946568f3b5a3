import { WireroomError } from "../errors.js";

/** The wire that `ask` has sent. */
export type SentWire = {
  id: string;
  uri: string;
  thread_id: string;
  /** Present if the wire was not sent: `held` while it waits for approval, otherwise the reason. */
  status?: "held" | "rejected" | "expired" | "failed" | "withdrawn" | undefined;
};

/**
 * Thrown by `ask` if no reply arrives in time, or none can arrive. The wire is not withdrawn, so a later
 * reply still appears in the inbox and the thread.
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
