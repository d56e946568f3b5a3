/** Wires that have the method `reply`. */
import type { Wire } from "../../generated/shapes.js";
import type { WiresSendInput, WiresSendOutput } from "../../generated/wires.js";
import type { ApiPromise } from "../api-promise.js";
import type { CallOptions } from "../operation.js";

/** The input of `wires.send` without `to` and `reply_to`. */
export type ReplyInput<Payload = unknown> = Omit<WiresSendInput<Payload>, "to" | "reply_to">;

/** A wire from `ask`, `listen` or `work`. */
export interface ReceivedWire<Payload = unknown> extends Wire<Payload> {
  /**
   * Replies to the wire. The method is non-enumerable, so JSON and comparisons of the wire do not include it.
   *
   * @example
   * ```ts
   * await wire.reply({ text: "done" });
   * ```
   */
  reply<Reply = unknown>(input: ReplyInput<Reply>, options?: CallOptions): ApiPromise<WiresSendOutput>;
}

export type Received = <Payload>(wire: Wire<Payload>) => ReceivedWire<Payload>;
