/**
 * Exercises the published SDK in any runtime that has `fetch`. `test/sdk/runtimes.test.ts` runs it.
 */
import {
  ConnectionError,
  NotFoundError,
  TimeoutError,
  UnavailableError,
  Wireroom,
  WireroomDashboard,
} from "@wireroom/sdk";

/**
 * Runs every check, and returns their results by name.
 * @param origin the origin of the test's proxy before the daemon. The header `x-fault` chooses a fault: `hang`
 *   never responds, `busy` responds with 503 to every other request, `cut` breaks responses, and `reset`
 *   breaks connections
 * @param apiKey the key of @alice
 */
export async function exercise({ origin, apiKey, idToken }) {
  const baseUrl = `${origin}/v1`;
  const clientOf = (fault, options) =>
    new Wireroom({ apiKey, baseUrl, headers: { "x-fault": fault }, ...options });
  const wr = clientOf("none");
  const results = {};

  const { data: sent, response } = await wr.wires.send({ to: "@alice", text: "hi" }).withResponse();
  results.status = response.status;
  results.hasRequestId = response.requestId === response.headers.get("x-request-id");
  results.limits = response.rateLimit.map(({ name }) => name);
  results.missing = await kindOf(wr.wires.get({ id: "none" }), NotFoundError);

  const first = await wr.inbox.read();
  results.read = first.wires.map(({ text_body }) => text_body);
  const held = wr.inbox.read({ cursor: first.next_cursor, wait: 20 });
  await wr.wires.send({ to: "@alice", text: "later", reply_to: sent.id });
  results.longPoll = (await held).wires.map(({ text_body }) => text_body);

  const stop = new AbortController();
  const reason = new Error("enough");
  const aborted = wr.inbox.read({ cursor: (await held).next_cursor, wait: 20 }, { signal: stop.signal });
  setTimeout(() => stop.abort(reason), 20);
  results.abort = await aborted.catch((error) => error === reason);

  results.timeout = await kindOf(
    clientOf("hang", { timeout: 50, maxRetries: 0 }).profile.get(),
    TimeoutError,
  );
  const retried = [];
  const onRetry = (error) => retried.push(error instanceof UnavailableError);
  results.retry = (await clientOf("busy").profile.get({ onRetry })).slug;
  results.retried = retried;
  for (const fault of ["cut", "reset"])
    results[fault] = await kindOf(clientOf(fault, { maxRetries: 0 }).profile.get(), ConnectionError);
  results.badHeader = await kindOf(wr.profile.get({ headers: { "x y": "" } }), TypeError);

  const dashboard = new WireroomDashboard({ idToken, baseUrl });
  const types = [];
  for await (const line of dashboard.account.export()) types.push(line.type);
  results.export = [types[0], types.at(-1)];
  const broken = new WireroomDashboard({ idToken, baseUrl, headers: { "x-fault": "cut" } });
  results.brokenExport = await kindOf(drain(broken.account.export()), ConnectionError);

  const listening = new AbortController();
  await wr.wires.send({ to: "@alice", text: "listen" });
  for await (const item of wr.inbox.listen({ signal: listening.signal })) {
    results.listened = item.wire.text_body;
    if (results.listened === "listen") listening.abort();
  }
  const broke = clientOf("none", { fetch: async () => undefined });
  results.brokenListen = await kindOf(drain(broke.inbox.listen()), TypeError);

  const closing = wr.profile.get();
  await wr.close();
  results.closed = [(await closing).slug, await kindOf(wr.profile.get(), TypeError)];
  return results;
}

/** Returns whether the promise rejects with an error of the class; the error itself if it is another one. */
async function kindOf(promise, kind) {
  try {
    return `resolved: ${JSON.stringify(await promise)}`;
  } catch (error) {
    return error instanceof kind || `${error?.stack ?? error}`;
  }
}

async function drain(items) {
  for await (const _ of items);
}
