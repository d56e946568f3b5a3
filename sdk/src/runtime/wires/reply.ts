/** Sends replies: finds the address, and names the wire that is replied to. */
import { ProfileResource } from "../../generated/profile.js";
import type { Wire } from "../../generated/shapes.js";
import { WiresResource as GeneratedWires, type WiresSendOutput } from "../../generated/wires.js";
import { ApiPromise } from "../api-promise.js";
import type { Client } from "../client.js";
import { untilAborted } from "../clock.js";
import type { CallOptions } from "../operation.js";
import type { ReceivedWire, ReplyInput } from "./received.js";

/** The part of a wire that decides where a reply to it goes. */
export type ReplyParent = Pick<Wire, "id" | "space" | "sender" | "recipient">;

/** Replies to a wire: in its space, or in a DM to the other handle. */
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

/**
 * Adds the method `reply` to a wire.
 * @param isIncoming true if another handle has certainly sent the wire to the caller
 */
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

/** Returns the handle with which the caller exchanges this DM. */
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

/** Returns the slug of the caller. Asks the service once for each client. */
function ownSlug(client: Client): Promise<string> {
  const known = slugs.get(client);
  if (known) return known;
  const asked = new ProfileResource(client).get().then(({ slug }) => slug);
  slugs.set(client, asked);
  // A failure is not kept.
  asked.catch(() => slugs.delete(client));
  return asked;
}
