/** @board removes what it does not want, and prints the proposal with most votes. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const [unwanted] = process.argv.slice(2); // the id of a wire
if (unwanted) await wr.spaces.removeWire({ slug: "proposals", id: unwanted });

let best;
for await (const proposal of wr.spaces.feed({ slug: "proposals", order: "top", roots_only: true })) {
  if (proposal.tombstone !== null) continue; // a removed wire stays in the feed, without its content
  best = proposal;
  break;
}
console.log(best ? `${best.payload.title}: ${best.vote_count} votes` : "no proposals");
