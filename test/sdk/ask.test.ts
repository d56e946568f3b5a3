/** Tests of `wires.ask` and `wires.reply`: one wire, one answer, whatever happens in between. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ConnectionError,
  NoReplyError,
  NotFoundError,
  type ReceivedWire,
  Wireroom,
  type WiresSendInput,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type FaultProxy, startFaultProxy } from "../harness/fault-proxy.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let proxy: FaultProxy;
let alice: SdkAgent;
let bob: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  proxy = await startFaultProxy(() => daemon.origin);
  alice = await createSdkAgent(daemon, "alice");
  bob = await createSdkAgent(daemon, "bob");
});
afterAll(async () => {
  await proxy.close();
  await daemon.stop();
});

/** Returns the next wire in the inbox of bob, and acknowledges it with the notices before it. */
async function nextWire(agent = bob): Promise<ReceivedWire> {
  const stop = new AbortController();
  let found: ReceivedWire | undefined;
  for await (const { kind, wire } of agent.wr.inbox.listen({ signal: stop.signal })) {
    if (kind !== "wire") continue;
    found = wire;
    stop.abort();
  }
  if (!found) throw new Error("no wire");
  return found;
}

/** Returns a promise that an error of the awaited call is not reported before it is awaited. */
function settled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

describe("wires.ask", () => {
  it("resolves to the reply, which can be replied to and is also in the inbox", async () => {
    const asking = alice.wr.wires.ask<{ price: number }>({ to: "@bob", text: "How much?" });
    const question = await nextWire();
    await question.reply({ payload: { price: 12 } });
    const answer = await asking;
    expect(answer).toMatchObject({ sender: "bob", payload: { price: 12 }, reply_to: question.id });
    expect((await nextWire(alice)).id).toBe(answer.id);
    await answer.reply({ text: "thanks" });
    expect(await nextWire()).toMatchObject({ text_body: "thanks", reply_to: answer.id });
  });

  it("rejects with the sent wire if no reply arrives in time; a later reply is in the inbox", async () => {
    const error = await alice.wr.wires
      .ask({ to: "@bob", text: "Hello?" }, { timeout: 1_000 })
      .catch((e) => e);
    expect(error).toBeInstanceOf(NoReplyError);
    expect(error).toMatchObject({ code: "NO_REPLY", message: expect.stringContaining("within 1000 ms") });
    const question = await nextWire();
    expect(error.wire).toMatchObject({ id: question.id, thread_id: question.thread_id });
    await question.reply({ text: "sorry, I was away" });
    expect(await nextWire(alice)).toMatchObject({ text_body: "sorry, I was away", reply_to: error.wire.id });
  });

  it("asks a space, and takes the first reply of another handle", async () => {
    await alice.wr.spaces.create({ slug: "help", visibility: "public" });
    const asking = alice.wr.wires.ask({ to: "#help", text: "Who knows?" });
    let question: string | undefined;
    while (question === undefined) {
      question = (await bob.wr.spaces.feed({ slug: "help" })).wires[0]?.id;
      await sleep(10);
    }
    await alice.wr.wires.send({ to: "#help", text: "Anyone?", reply_to: question });
    await bob.wr.wires.reply(await bob.wr.wires.get({ id: question }), { text: "me" });
    expect(await asking).toMatchObject({ sender: "bob", text_body: "me", space: "help" });
  });

  it("sends once and gets the answer if the daemon is killed while it waits", async () => {
    const asking = settled(alice.wr.wires.ask({ to: "@bob", text: "Still there?" }));
    const question = await nextWire();
    await daemon.kill();
    await daemon.restart();
    await question.reply({ text: "yes" });
    expect((await asking).text_body).toBe("yes");
    expect((await bob.wr.inbox.read()).wires).toEqual([]);
    await nextWire(alice);
  });

  it("sends once if the response to the first request is lost", async () => {
    const { wr } = await createSdkAgent(daemon, "carol", { baseUrl: proxy.base });
    proxy.queueFaults("cut-after");
    const asking = settled(wr.wires.ask({ to: "@bob", text: "once" }));
    await (await nextWire()).reply({ text: "twice" });
    expect((await asking).text_body).toBe("twice");
    expect((await bob.wr.inbox.read()).wires).toEqual([]);
    const posts = proxy.requests.filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it("goes on waiting for the wire that an earlier call has sent with the same idempotency key", async () => {
    const input = { to: "@bob", text: "again" };
    const { id } = await alice.wr.wires.send(input, { idempotencyKey: "again-1" });
    const asking = settled(alice.wr.wires.ask(input, { idempotencyKey: "again-1" }));
    await (await nextWire()).reply({ text: "here" });
    expect((await asking).reply_to).toBe(id);
    expect((await bob.wr.inbox.read()).wires).toEqual([]);
    await nextWire(alice);
  });

  it("rejects with the error of the service, and with the reason of the signal", async () => {
    await expect(alice.wr.wires.ask({ to: "@nobody", text: "hi" })).rejects.toThrow(NotFoundError);
    const stop = new AbortController();
    const asking = settled(alice.wr.wires.ask({ to: "@bob", text: "hi" }, { signal: stop.signal }));
    await nextWire();
    stop.abort(new Error("no longer needed"));
    await expect(asking).rejects.toThrow("no longer needed");
    await expect(alice.wr.wires.ask({ to: "@bob", text: "hi" }, { timeout: 1e9 })).rejects.toThrow(
      "`timeout`",
    );
  });

  it("rejects with the last error if the service was not reachable until the timeout", async () => {
    const { wr } = await createSdkAgent(daemon, "dave", { baseUrl: "http://127.0.0.1:9/v1" });
    const asking = wr.wires.ask({ to: "@bob", text: "hi" }, { timeout: 400 });
    await expect(asking).rejects.toThrow(ConnectionError);
  });
});

describe("wires.ask under an egress policy that requires an approval", () => {
  it("waits for the approval, and then for the reply", async () => {
    const { wr } = await createSdkAgent(daemon, "erin");
    const human = await dashboardClient(daemon, "erin");
    await human.egress.update({ slug: "erin", mode: "approval" });
    const asking = settled(wr.wires.ask({ to: "@bob", text: "May I?" }));
    await answerApproval("erin", "approved");
    await (await nextWire()).reply({ text: "you may" });
    expect((await asking).text_body).toBe("you may");
  });

  it("rejects at once if the wire is rejected", async () => {
    const { wr } = await createSdkAgent(daemon, "frank");
    const human = await dashboardClient(daemon, "frank");
    await human.egress.update({ slug: "frank", mode: "approval" });
    const asking = settled(wr.wires.ask({ to: "@bob", text: "May I?" }));
    await answerApproval("frank", "rejected");
    await expect(asking).rejects.toMatchObject({ name: "NoReplyError", wire: { status: "rejected" } });
  });

  async function answerApproval(name: string, status: "approved" | "rejected"): Promise<void> {
    const { approvals } = await dashboardClient(daemon, name);
    for (;;) {
      const [pending] = (await approvals.list({ status: "pending" })).approvals;
      if (pending) return void (await approvals.answer({ id: pending.id, status }));
      await sleep(20);
    }
  }
});

describe("wires.reply", () => {
  it("goes to the other handle of a DM, whoever has sent the wire", async () => {
    const sent = await alice.wr.wires.send({ to: "@bob", text: "first" });
    const own = await alice.wr.wires.get({ id: sent.id });
    await alice.wr.wires.reply(own, { text: "second" });
    await bob.wr.wires.reply(await bob.wr.wires.get({ id: sent.id }), { text: "third" });
    const { wires } = await alice.wr.threads.get({ id: sent.id });
    const route = ({ sender, recipient, text_body }: ReceivedWire | (typeof wires)[number]) =>
      `${sender} to ${recipient}: ${text_body}`;
    expect(wires.map(route)).toEqual(["alice to bob: first", "alice to bob: second", "bob to alice: third"]);
  });
});

describe("an aborted wires.reply", () => {
  it("rejects at once, also while the client asks for its own handle", async () => {
    const { id } = await alice.wr.wires.send({ to: "@bob", text: "first" });
    const wire = await bob.wr.wires.get({ id });
    proxy.setDefaultFault(({ path }) => (path.endsWith("/profile") ? "half-open" : "pass"));
    const slow = new Wireroom({ apiKey: bob.key, baseUrl: proxy.base, timeout: 5_000, maxRetries: 0 });
    const stop = new AbortController();
    const replying = settled(slow.wires.reply(wire, { text: "second" }, { signal: stop.signal }));
    const reason = new Error("enough");
    setTimeout(() => stop.abort(reason), 100);
    await expect(replying).rejects.toBe(reason);
    proxy.setDefaultFault(() => "pass");
  });
});

describe("with a service that", () => {
  const service = mockService();

  it("answers without a reply and at once, wires.ask repeats the same request, but not too often", async () => {
    const sent = { id: "w", uri: "http://wireroom.test/v1/wires/w", thread_id: "w" };
    const bodies: WiresSendInput[] = [];
    service.use(
      wireroomHandlers.wires.send(({ input }) => {
        bodies.push(input);
        return { ...sent, reply: null };
      }),
    );
    const asking = service.agent().wires.ask({ to: "@bob", text: "hi" }, { timeout: 2_600 });
    await expect(asking).rejects.toMatchObject({ name: "NoReplyError", wire: sent });
    expect(bodies.length).toBeGreaterThan(2);
    expect(bodies.length).toBeLessThan(15);
    for (const { wait_for_reply, ...rest } of bodies) {
      expect(rest).toEqual({ to: "@bob", text: "hi" });
      expect(wait_for_reply).toBeLessThanOrEqual(3);
    }
    const keys = service.requests.map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  });

  it("answers late, wires.ask still learns which wire it sent, because the first request waits for half the time", async () => {
    const sent = { id: "w", uri: "http://wireroom.test/v1/wires/w", thread_id: "w" };
    const holds: unknown[] = [];
    const { example } = wireroomHandlers.wires.get;
    service.use(
      wireroomHandlers.wires.send(({ input }) => {
        holds.push(input.wait_for_reply);
        return { ...sent, reply: holds.length > 1 ? example : null };
      }),
    );
    await service.agent().wires.ask({ to: "@bob", text: "hi" }, { timeout: 20_000 });
    await service.agent().wires.ask({ to: "@bob", text: "hi" });
    expect(holds).toEqual([9, expect.any(Number), 50]);
  });

  it("answers within microtasks, wires.ask ends after its timeout and a few requests", async () => {
    let count = 0;
    const answerAtOnce = async () => {
      if (++count > 100) throw new Error("too many requests");
      return Response.json({ id: "w", uri: "http://wireroom.test/v1/wires/w", thread_id: "w", reply: null });
    };
    const { wires } = service.agent({ fetch: answerAtOnce });
    for (const timeout of [1, 300]) {
      count = 0;
      const asking = wires.ask({ to: "@bob", text: "hi" }, { timeout });
      await expect(asking).rejects.toThrow(`within ${timeout} ms`);
      expect(count).toBeLessThanOrEqual(3);
    }
  });
});
