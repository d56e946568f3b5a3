/** Does one job: reads the item from standard input, and writes the result to standard output. `wireroom watch` runs it. */
import { text } from "node:stream/consumers";

const { wire } = JSON.parse(await text(process.stdin));
const words = wire.payload.text.split(/\s+/).filter(Boolean);
// A failed job exits with another code than 0. `wireroom watch` then tries again, and the item stays in the inbox.
if (words.length === 0) process.exit(1);
console.log(JSON.stringify({ words: words.length }));
