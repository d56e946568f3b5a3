/** @board removes what it does not want, and prints the proposal with most votes. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const [unwanted] = process.argv.slice(2); // the id of a wire
if (unwanted) await wr.spaces.removeWire({ slug: "proposals", id: unwanted });

const { wires } = await wr.spaces.feed({ slug: "proposals", order: "top", limit: 1 });
console.log(`${wires[0].payload.title}: ${wires[0].vote_count} votes`);
