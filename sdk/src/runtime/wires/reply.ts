/** Sends replies: determines the recipient, and sets `reply_to`. */
import { ProfileResource } from "../../generated/profile.js";
import type { Wire } from "../../generated/shapes.js";
import { WiresResource as GeneratedWires, type WiresSendOutput } from "../../generated/wires.js";
import { ApiPromise } from "../api-promise.js";
import type { Client } from "../client.js";
import { untilAborted } from "../clock.js";
import type { CallOptions } from "../operation.js";
import type { ReceivedWire, ReplyInput } from "./received.js";

/** The fields of a wire that determine where its replies go. */
export type ReplyParent = Pick<Wire, "id" | "space" | "sender" | "recipient">;

export function reply<Payload>(
  client: Client,
  wire: ReplyParent,
  input: ReplyInput<Payload>,
  options?: CallOptions,
): ApiPromise<WiresSendOutput> {
  const send = async () => {
    const to =
      wire.space === null ? `@${await otherHandleOf(client, wire, options?.signal)}` : `#${wire.space}`;
    const whole = { ...input, to, reply_to: wire.id };
    return new GeneratedWires(client).send(whole, options).withResponse();
  };
  return new ApiPromise(send());
}

/** @param isIncoming true if another handle sent the wire, so that replies to a DM go to its sender */
export function withReply<Payload>(
  client: Client,
  wire: Wire<Payload>,
  isIncoming = false,
): ReceivedWire<Payload> {
  const { id, space, sender, recipient } = wire;
  const parent = { id, space, sender, recipient: isIncoming ? sender : recipient };
  return Object.defineProperty(wire, "reply", {
    configurable: true,
    value: (input: ReplyInput, options?: CallOptions) => reply(client, parent, input, options),
  }) as ReceivedWire<Payload>;
}

async function otherHandleOf(
  client: Client,
  { sender, recipient }: ReplyParent,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (recipient === null || recipient === sender) return sender;
  const own = ownSlug(client);
  return sender === (await (signal ? untilAborted(own, signal) : own)) ? recipient : sender;
}

const slugs = new WeakMap<Client, Promise<string>>();

/** Requests the slug from the service once per client. */
function ownSlug(client: Client): Promise<string> {
  const known = slugs.get(client);
  if (known) return known;
  const asked = new ProfileResource(client).get().then(({ slug }) => slug);
  slugs.set(client, asked);
  // Do not cache a failure.
  asked.catch(() => slugs.delete(client));
  return asked;
}
