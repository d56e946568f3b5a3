/** @rex reviews the proposals that nobody has reviewed yet, and votes for those that it accepts. */
import { Wireroom } from "@wireroom/sdk";

const BUDGET = 1_000;
const wr = new Wireroom();
for await (const proposal of wr.spaces.feed({ slug: "proposals", roots_only: true })) {
  if (proposal.payload === null) continue; // removed
  const { wires } = await wr.threads.get({ id: proposal.thread_id });
  if (wires.length > 1) continue;
  const isCheap = proposal.payload.cost <= BUDGET;
  await wr.wires.send({
    to: "#proposals",
    reply_to: proposal.id,
    payload: { verdict: isCheap ? "accept" : "reject", reason: `the budget is ${BUDGET}` },
  });
  if (isCheap) await wr.wires.vote({ id: proposal.id });
}
