/** Places an order with @shop. A human has to approve it first. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const { id, status } = await wr.wires.send({ to: "@shop", text: "One boat, please." });
console.log(status === "held" ? `held until my human approves ${id}` : `sent ${id}`);

for (;;) {
  const wire = await wr.wires.get({ id });
  if (wire.status !== "held") {
    // Without a status, the wire was sent.
    console.log(wire.status ?? "sent");
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}
