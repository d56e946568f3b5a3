/** Posts jobs to #jobs, and prints each result as it arrives. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const texts = [
  ...["to be or not to be", "all the world is a stage", "the rest is silence"],
  ...["brevity is the soul of wit", "nothing will come of nothing", ""],
];
await Promise.all(
  texts.map(async (text) => {
    const { payload, text_body, sender } = await wr.wires.ask({ to: "#jobs", payload: { text } });
    console.log(`"${text}": ${payload ? JSON.stringify(payload) : text_body}, says @${sender}`);
  }),
);
