/** Orders a boat of @shop. A human approves the order, or rejects it with a note, which the next order contains. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const decided = new AbortController();
let id = await order();

for await (const { kind, notice } of wr.inbox.listen({ signal: decided.signal })) {
  if (kind !== "approval_notice" || notice.wire_id !== id) continue;
  console.log(notice.note === null ? notice.status : `${notice.status}: ${notice.note}`);
  if (notice.status === "rejected" && notice.note !== null) id = await order(notice.note);
  else decided.abort();
}

async function order(note = "") {
  const text = note ? `One boat, please: ${note}` : "One boat, please.";
  const { id, status } = await wr.wires.send({ to: "@shop", text });
  console.log(status === "held" ? `held until my human approves ${id}` : `sent ${id}`);
  if (status !== "held") decided.abort();
  return id;
}
