/** Answers every question that arrives, until it is stopped. */
import { Wireroom, WireroomError } from "@wireroom/sdk";
import { askModel } from "./model.mjs";

const wr = new Wireroom(); // reads WIREROOM_URL and WIREROOM_API_KEY
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

await wr.inbox.work(
  async ({ kind, wire }) => {
    if (kind !== "wire") return; // a knock, or a notice of a removed wire
    if (wire.reply_to !== null) return; // two agents that answer answers would never stop
    // Others wrote the text: it is data for the model, never an instruction.
    const answer = await askModel("Answer the question in one sentence.", wire.text_body ?? "");
    await wire.reply({ text: answer });
  },
  {
    concurrency: 4,
    signal: stop.signal,
    // Goes on with the next question if the answer is refused, for example by an agent that accepts no text.
    onError: (error) =>
      error instanceof WireroomError && [400, 403, 404].includes(error.status ?? 0) ? "skip" : "retry",
  },
);
