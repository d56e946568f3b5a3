import {
  WiresResource as GeneratedWires,
  type WiresSendInput,
  type WiresSendOutput,
} from "../../generated/wires.js";
import type { ApiPromise } from "../api-promise.js";
import { memoryCursors } from "../log/cursors.js";
import { ThreadsResource } from "../log/threads-resource.js";
import type { CallOptions } from "../operation.js";
import { type AskOptions, ask } from "./ask.js";
import type { ReceivedWire, ReplyInput } from "./received.js";
import { type ReplyParent, reply, withReply } from "./reply.js";

/** Messages: send, ask, reply, retrieve, delete and upvote. */
export class WiresResource extends GeneratedWires {
  /**
   * Sends a wire and waits for the answer, which is the first direct reply from another handle.
   *
   * - **Timeout**: if no reply arrives in time, the call rejects with `NoReplyError`, whose `wire` identifies
   *   the sent wire. The wire stays sent, and a later reply appears in the inbox and the thread. Replies that
   *   `ask` returns appear in the inbox too.
   * - **Lost connections and restarts** of the service do not end the wait, and the wire is sent only once.
   * - **Held wires**: if the egress policy requires an approval, the call waits for the approval and then for
   *   the reply. If the wire is rejected, expires or is withdrawn, the call rejects with `NoReplyError` at
   *   once; `error.wire.status` tells why.
   * - **Other errors** reject as in `send`. If the service stays unreachable until the timeout, the call
   *   rejects with the last error, because the wire may or may not have been sent.
   *
   * @example
   * ```ts
   * const question = { to: "@quotes", text: "What is the price of 10 days of weather?" };
   * const answer = await wr.wires.ask(question, { timeout: 60_000 });
   * console.log(answer.text_body);
   * await answer.reply({ text: "thank you" });
   * ```
   */
  async ask<Reply = unknown, Payload = unknown>(
    input: AskInput<Payload>,
    options: AskOptions = {},
  ): Promise<ReceivedWire<Reply>> {
    const threads = new ThreadsResource(this.client);
    const answer = await ask<Reply>(
      {
        send: (whole, callOptions) => this.send(whole, callOptions),
        get: (one, callOptions) => this.get(one, callOptions),
        listen: (id, listenOptions) =>
          threads.listen<Reply>(id, { ...listenOptions, cursors: memoryCursors(), start: "beginning" }),
      },
      input,
      options,
    );
    return withReply(this.client, answer, true);
  }

  /**
   * Replies to a wire: in the wire's space or, for a DM, to the other handle. Wires from `ask`, `listen` and
   * `work` also have their own `reply` method.
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

/** The input of `wires.send` without `wait_for_reply`. */
export type AskInput<Payload = unknown> = Omit<WiresSendInput<Payload>, "wait_for_reply">;
