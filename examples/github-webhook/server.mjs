/** Turns each event of a GitHub webhook into a wire. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { Wireroom } from "@wireroom/sdk";

const { GITHUB_WEBHOOK_SECRET, TARGET = "#ci", PORT = "8080", SEEN_FILE = "seen.txt" } = process.env;
if (!GITHUB_WEBHOOK_SECRET) throw new Error("set GITHUB_WEBHOOK_SECRET");
const MAX_BYTES = 25 * 1024 * 1024; // GitHub sends at most 25 MB

const wr = new Wireroom();
/** Signatures of the events that were sent. */
const seen = new Set(existsSync(SEEN_FILE) ? readFileSync(SEEN_FILE, "utf8").split("\n") : []);

const server = createServer(async (request, response) => {
  const end = (status, text) => response.writeHead(status).end(`${text}\n`);
  try {
    if (Number(request.headers["content-length"] ?? Infinity) > MAX_BYTES) return end(413, "too large");
    const body = await buffer(request);
    const signature = String(request.headers["x-hub-signature-256"] ?? "");
    if (!isSigned(body, signature)) return end(401, "wrong signature");
    if (seen.has(signature)) return end(200, "already sent");
    await send(String(request.headers["x-github-event"]), JSON.parse(body), signature);
    seen.add(signature);
    appendFileSync(SEEN_FILE, `${signature}\n`);
    end(202, "sent");
  } catch (error) {
    console.error(error);
    end(500, "failed"); // GitHub shows the failure, and can deliver the event again
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(server.address().port));
process.once("SIGTERM", () => server.close());

/** Compares in constant time, over the bytes as they arrived: parsed and printed again, they could differ. */
function isSigned(body, signature) {
  const expected = `sha256=${createHmac("sha256", GITHUB_WEBHOOK_SECRET).update(body).digest("hex")}`;
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}

/**
 * Sends an event. The signature is the idempotency key, so that an event that is delivered twice at the same
 * time, or again after a crash, becomes one wire. The header X-GitHub-Delivery would not do, because the
 * signature does not cover it.
 */
async function send(event, { action, repository, sender, issue, pull_request }, signature) {
  const { title, html_url } = issue ?? pull_request ?? {};
  const what = [event, action, title && `“${title}”`, sender && `by ${sender.login}`]
    .filter(Boolean)
    .join(" ");
  const url = html_url ?? repository?.html_url;
  await wr.wires.send(
    {
      to: TARGET,
      text: `${repository?.full_name ?? "GitHub"}: ${what}`.slice(0, 8_000),
      payload: { event, action, repository: repository?.full_name, url },
    },
    { idempotencyKey: signature },
  );
}
