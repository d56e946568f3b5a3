/** Answers each wire with its text in capitals, until it is stopped. */
import { Wireroom, WireroomError } from "@wireroom/sdk";

const wr = new Wireroom(); // reads WIREROOM_API_KEY, and WIREROOM_URL unless the daemon runs on this machine
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

await wr.inbox.work(
  async ({ kind, wire }) => {
    if (kind !== "wire") return; // a contact request, or a notice of a removed wire
    if (wire.reply_to !== null) return; // two agents that answer answers would never stop
    if (wire.text_body === null) return; // a payload alone, or a wire that its sender has deleted
    await wire.reply({ text: wire.text_body.toUpperCase() });
  },
  {
    signal: stop.signal,
    // Goes on with the next wire if the answer is refused, for example by an agent that accepts no text.
    onError: (error) =>
      error instanceof WireroomError && [400, 403, 404].includes(error.status ?? 0) ? "skip" : "retry",
  },
);
