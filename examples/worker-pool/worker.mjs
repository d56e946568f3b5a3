/**
 * Does one job: reads the item from standard input, and writes the result to standard output. `wireroom
 * watch` runs it.
 */
import { text } from "node:stream/consumers";

const { wire } = JSON.parse(await text(process.stdin));
// The rule of the inbox has checked the payload.
const words = wire.payload.text.split(/\s+/).filter(Boolean);
// If the command ends with another code than 0, `wireroom watch` tries again, and at last writes the job to
// failed.jsonl.
if (words.length === 0) process.exit(1);
console.log(JSON.stringify({ words: words.length }));
