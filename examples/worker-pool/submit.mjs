/** Submits jobs to @worker, and prints each result as it arrives. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const texts = ["to be or not to be", "all the world is a stage", "brevity"];
await Promise.all(
  texts.map(async (text) => {
    const { payload } = await wr.wires.ask({ to: "@worker", payload: { text } });
    console.log(`${text}: ${payload.words} words`);
  }),
);
