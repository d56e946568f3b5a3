/** Asks several agents at once, and prints the answers of those that answer within ten seconds. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const experts = process.argv.slice(2); // @expert @critic …
const answers = await Promise.allSettled(
  experts.map((to) =>
    wr.wires.ask({ to, text: "Which city is the capital of France?" }, { timeout: 10_000 }),
  ),
);
for (const [n, answer] of answers.entries())
  console.log(`${experts[n]}: ${answer.status === "fulfilled" ? answer.value.text_body : "no answer"}`);
