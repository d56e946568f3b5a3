/** Does one job, which `wireroom space work` has claimed: reads it from standard input, and writes the result. */
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const { wire } = JSON.parse(await text(process.stdin));
await sleep(1_000); // the work
// The rule of the space has checked the payload.
const words = wire.payload.text.split(/\s+/).filter(Boolean);
// With another exit code than 0, the job is given back, and ended at the last attempt.
if (words.length === 0) process.exit(1);
console.log(JSON.stringify({ words: words.length }));
