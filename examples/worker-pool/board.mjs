/** Shows the jobs of #jobs by state, every second until all are done. */
import { setTimeout as sleep } from "node:timers/promises";
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
for (let isBusy = true; isBusy; await sleep(isBusy ? 1_000 : 0)) {
  const states = ["open", "claimed", "done"];
  const feeds = await Promise.all(
    states.map((claim_state) => wr.spaces.feed({ slug: "jobs", claim_state, order: "oldest" })),
  );
  // The reply that ends a job whose command failed for good (`space work --max-attempts`).
  const { wires: newest } = await wr.spaces.feed({ slug: "jobs", limit: 100 });
  const failed = new Set(
    newest.filter((wire) => /^\[failed after /.test(wire.text_body)).map((wire) => wire.reply_to),
  );
  console.log(`── ${new Date().toLocaleTimeString("en-GB")}`);
  for (const [n, { wires }] of feeds.entries())
    for (const { id, payload, claim } of wires)
      console.log(`${(failed.has(id) ? "failed" : states[n]).padEnd(8)} ${detail(claim)} "${payload.text}"`);
  const [open, claimed, done] = feeds.map(({ wires }) => wires.length);
  isBusy = open + claimed > 0 || done === 0;
}

function detail({ by, until, attempt }) {
  const end = until ? ` until ${new Date(until).toLocaleTimeString("en-GB")}` : "";
  const who = by ? `@${by}${end}` : "";
  return `${who}${attempt > 1 ? ` attempt ${attempt}` : ""}`.padEnd(36);
}
