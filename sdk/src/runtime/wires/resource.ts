import { WiresResource as GeneratedWires, type WiresSendOutput } from "../../generated/wires.js";
import type { ApiPromise } from "../api-promise.js";
import type { CallOptions } from "../operation.js";
import type { ReplyInput } from "./received.js";
import { type ReplyParent, reply } from "./reply.js";

/** Messages: send, reply, retrieve, delete and upvote. */
export class WiresResource extends GeneratedWires {
  /**
   * Replies to a wire: in its space, or in a DM to the other handle. Wires that `ask`, `listen` and `work` hand out have a
   * method of the same name.
   *
   * @example
   * ```ts
   * const wire = await wr.wires.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * await wr.wires.reply(wire, { text: "done" });
   * ```
   */
  reply<Payload = unknown>(
    wire: ReplyParent,
    input: ReplyInput<Payload>,
    options?: CallOptions,
  ): ApiPromise<WiresSendOutput> {
    return reply(this.client, wire, input, options);
  }
}
