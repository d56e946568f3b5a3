/**
 * Tests of `spaces.listen`, `threads.listen` and `spaces.work`: each wire once and in order, with a position
 * of their own.
 */
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ListenOptions,
  NotFoundError,
  UnauthorizedError,
  ValidationError,
  Wireroom,
  type WiresListenOptions,
} from "../../sdk/src/index.js";
import { fileCursors } from "../../sdk/src/node.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let alice: SdkAgent;
let bob: SdkAgent;
let folder: string;
let spaces = 0;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  alice = await createSdkAgent(daemon, "alice");
  bob = await createSdkAgent(daemon, "bob");
  folder = await mkdtemp(join(tmpdir(), "wireroom-cursors-"));
});
afterAll(async () => {
  await daemon.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a space of alice with these wires. Returns its slug. */
async function newSpace(...texts: string[]): Promise<string> {
  const { slug } = await alice.wr.spaces.create({ slug: `space-${++spaces}`, visibility: "public" });
  await post(slug, ...texts);
  return slug;
}

async function post(slug: string, ...texts: string[]): Promise<void> {
  for (const text of texts) await alice.wr.wires.send({ to: `#${slug}`, text });
}

/** A client of bob in another process. */
const newClient = () => new Wireroom({ apiKey: bob.key, baseUrl: daemon.base });

/**
 * Listens to a space until `count` wires were processed. Returns their texts.
 * @param start called when the position is certain, because the first read has been sent
 */
async function receive(
  wr: Wireroom,
  slug: string,
  count: number,
  options: ListenOptions & WiresListenOptions = {},
): Promise<unknown[]> {
  const stop = new AbortController();
  const texts: unknown[] = [];
  for await (const wire of wr.spaces.listen(slug, { ...options, signal: stop.signal })) {
    texts.push(wire.text_body);
    if (texts.length === count) stop.abort();
  }
  return texts;
}

/** A store that tells when the first position is stored. */
function observedStore() {
  const cursors = new Map<string, string>();
  let resolveFirst = () => {};
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve;
  });
  const set = (key: string, cursor: string) => {
    cursors.set(key, cursor);
    resolveFirst();
  };
  return { cursors: { get: (key: string) => cursors.get(key), set }, first };
}

it("a list with wait yields all items, also those that arrive, and ends when nothing has arrived during the wait", async () => {
  const slug = await newSpace("one", "two", "three");
  const texts: unknown[] = [];
  for await (const { text_body } of bob.wr.spaces.feed({ slug, order: "oldest", limit: 2, wait: 1 })) {
    texts.push(text_body);
    if (text_body === "three") await post(slug, "four");
  }
  expect(texts).toEqual(["one", "two", "three", "four"]);
});

describe("spaces.listen", () => {
  it("yields the wires from now on, in order, and lets them be replied to", async () => {
    const slug = await newSpace("before");
    const { cursors, first } = observedStore();
    const receiving = receive(bob.wr, slug, 3, { cursors });
    await first;
    await post(slug, "one", "two", "three");
    expect(await receiving).toEqual(["one", "two", "three"]);
    await post(slug, "four");
    for await (const wire of bob.wr.spaces.listen(slug, { cursors })) {
      const { id } = await wire.reply({ text: "five" });
      expect(await bob.wr.wires.get({ id })).toMatchObject({
        space: slug,
        reply_to: wire.id,
        text_body: "five",
      });
      break;
    }
  });

  it("yields all wires from the beginning, with any page size", async () => {
    const slug = await newSpace("one", "two", "three");
    for (const pageSize of [1, 2, 100])
      expect(await receive(newClient(), slug, 3, { start: "beginning", pageSize })).toEqual([
        "one",
        "two",
        "three",
      ]);
  });

  it("continues after the finished wires, in the same client and in another process", async () => {
    const slug = await newSpace("one", "two", "three", "four");
    const seen: unknown[] = [];
    for await (const wire of bob.wr.spaces.listen(slug, { start: "beginning" })) {
      seen.push(wire.text_body);
      if (seen.length === 2) break;
    }
    // The second wire was not finished.
    expect(await receive(bob.wr, slug, 3)).toEqual(["two", "three", "four"]);

    const file = join(folder, "cursors.json");
    const options = () => ({ start: "beginning" as const, cursors: fileCursors(file) });
    expect(await receive(newClient(), slug, 3, options())).toEqual(["one", "two", "three"]);
    await post(slug, "five");
    expect(await receive(newClient(), slug, 2, options())).toEqual(["four", "five"]);
    expect(Object.keys(JSON.parse(await readFile(file, "utf8")))).toEqual([`space:${slug}`]);
  });

  it("continues after SIGKILL and a restart of the daemon: each wire once, in order", async () => {
    const slug = await newSpace("0");
    const receiving = receive(bob.wr, slug, 6, { start: "beginning", wait: 5 });
    await post(slug, "1");
    await daemon.kill();
    await daemon.restart();
    await post(slug, "2", "3");
    await daemon.restart();
    await post(slug, "4", "5");
    expect(await receiving).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  it("ends with the error if the caller may no longer read the space, or its key is revoked", async () => {
    const reader = await createSdkAgent(daemon, "reader");
    const { slug } = await alice.wr.spaces.create({ slug: "secret", visibility: "private" });
    const add = { slug, members: [{ handle: "@reader", role: "reader" as const }] };
    await alice.wr.spaces.update(add);
    const { cursors, first } = observedStore();
    const receiving = receive(reader.wr, slug, 1, { cursors });
    await first;
    await alice.wr.spaces.update({ slug, members: [{ handle: "@reader", role: "remove" }] });
    await expect(receiving).rejects.toThrow(NotFoundError);

    const other = observedStore();
    const listening = receive(reader.wr, await newSpace(), 1, { cursors: other.cursors });
    await other.first;
    const dashboard = await dashboardClient(daemon, "reader");
    await dashboard.keys.revoke({ id: (await dashboard.keys.list()).keys[0]!.id });
    await expect(listening).rejects.toThrow(UnauthorizedError);
  });

  it("ends with the error if the stored cursor or the file is invalid", async () => {
    const slug = await newSpace("one");
    const cursors = { get: () => "x.y", set: () => {} };
    await expect(receive(bob.wr, slug, 1, { cursors })).rejects.toThrow(ValidationError);
    const file = join(folder, "broken.json");
    await writeFile(file, "{");
    const repaired = fileCursors(file);
    await expect(receive(bob.wr, slug, 1, { cursors: repaired })).rejects.toThrow("broken.json");
    await writeFile(file, `{"me": "here"}`);
    expect(await repaired.get("me")).toBe("here");
  });
});

describe("threads.listen", () => {
  it("yields the wires of a thread, and replies go to the other handle", async () => {
    const { id } = await alice.wr.wires.send({ to: "@bob", text: "one" });
    const seen: unknown[] = [];
    for await (const wire of alice.wr.threads.listen(id, { start: "beginning" })) {
      seen.push(`${wire.sender}: ${wire.text_body}`);
      if (seen.length === 1) await wire.reply({ text: "two" });
      if (seen.length === 2) await bob.wr.wires.reply(wire, { text: "three" });
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["alice: one", "alice: two", "bob: three"]);
  });

  it("yields only what comes later by default", async () => {
    const { id } = await alice.wr.wires.send({ to: "@bob", text: "one" });
    const { cursors, first } = observedStore();
    const next = bob.wr.threads.listen(id, { cursors }).next();
    await first;
    await alice.wr.wires.send({ to: "@bob", text: "two", reply_to: id });
    expect((await next).value).toMatchObject({ text_body: "two" });
  });
});

describe("spaces.work", () => {
  it("handles each wire once, also after a failure and with a new process", async () => {
    const slug = await newSpace("one", "two", "three");
    const cursors = fileCursors(join(folder, "work.json"));
    const seen: unknown[] = [];
    const work = () =>
      newClient().spaces.work(
        slug,
        (wire, { attempt }) => {
          seen.push(wire.text_body);
          if (wire.text_body === "two" && attempt === 1) throw new Error("try again");
        },
        { cursors, start: "beginning", once: true, onError: () => ({ retryIn: 10 }) },
      );
    await work();
    expect(seen).toEqual(["one", "two", "three", "two"]);
    await post(slug, "four");
    await work();
    expect(seen.slice(4)).toEqual(["four"]);
  });
});

describe("spaces.work in a work queue", () => {
  const queue = async (...texts: string[]) => {
    const slug = `queue-${++spaces}`;
    const root_rule = { allow_text: true, claimable: true };
    await alice.wr.spaces.create({ slug, visibility: "public", root_rule });
    await post(slug, ...texts);
    return slug;
  };
  const statesOf = async (slug: string) =>
    (await alice.wr.spaces.feed({ slug, order: "oldest", roots_only: true })).wires.map(({ claim }) => claim);

  it("claims each wire for one worker, and finishes it when the handler returns", async () => {
    const slug = await queue("one", "two", "three", "four");
    const seen: unknown[] = [];
    const work = () =>
      alice.wr.spaces.work(
        slug,
        async (wire) => {
          seen.push(wire.text_body);
          if (wire.text_body === "two") await wire.reply({ text: "done", done: true });
        },
        { concurrency: 2, once: true },
      );
    await Promise.all([work(), work()]);
    expect(seen.sort()).toEqual(["four", "one", "three", "two"]);
    expect((await statesOf(slug)).map((claim) => claim?.state)).toEqual(Array(4).fill("done"));
  });

  it("gives a wire back when the handler throws, and counts the attempts", async () => {
    const slug = await queue("one");
    const attempts: number[] = [];
    await alice.wr.spaces.work(
      slug,
      (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < 3) throw new Error("again");
      },
      { once: true, onError: () => ({ retryIn: 1 }) },
    );
    expect(attempts).toEqual([1, 2, 3]);
    const failed = alice.wr.spaces.work(await queue("two"), () => Promise.reject(new Error("no")), {
      onError: () => "stop",
    });
    await expect(failed).rejects.toThrow("no");
  });

  it("renews the claim while the handler runs, and aborts its signal when the claim is lost", async () => {
    const slug = await queue("one");
    const stop = new AbortController();
    let reason: unknown;
    const work = alice.wr.spaces.work(
      slug,
      async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        reason = signal.reason;
      },
      { seconds: 1, signal: stop.signal },
    );
    const first = async () => (await statesOf(slug))[0];
    await expect.poll(async () => (await first())?.state).toBe("claimed");
    const { until } = (await first())!;
    await expect.poll(async () => (await first())!.until! > until!).toBe(true);
    const { wires } = await alice.wr.spaces.feed({ slug });
    await alice.wr.wires.unclaim({ id: wires[0]!.id });
    await alice.wr.wires.claim({ id: wires[0]!.id });
    await expect.poll(() => reason).toMatchObject({ code: "FORBIDDEN" });
    stop.abort();
    await work;
    expect(await first()).toMatchObject({ state: "claimed", attempt: 2 });
  });

  it("goes on after the answer of a lost claim was refused, which is no failure of the handler", async () => {
    const slug = await queue("one", "two");
    const errors: unknown[] = [];
    await alice.wr.spaces.work(
      slug,
      async (wire) => {
        if (wire.text_body === "one") {
          await alice.wr.wires.unclaim({ id: wire.id });
          await alice.wr.wires.claim({ id: wire.id });
        }
        await wire.reply({ text: `answer to ${wire.text_body}`, done: true });
      },
      { once: true, onError: (error) => void errors.push(error) },
    );
    expect(errors).toEqual([]);
    expect((await statesOf(slug)).map((claim) => [claim?.state, claim?.attempt])).toEqual([
      ["claimed", 2],
      ["done", 1],
    ]);
  });

  it("does not take a refused mention for the loss of the claim", async () => {
    const slug = await queue("one");
    const codes: unknown[] = [];
    await alice.wr.spaces.work(slug, (wire) => wire.reply({ text: "ask them", mentions: ["nobody-here"] }), {
      once: true,
      onError: (error) => {
        codes.push((error as { code?: string }).code);
        return "skip";
      },
    });
    expect([codes, await statesOf(slug)]).toMatchObject([["NOT_FOUND"], [{ state: "done", attempt: 1 }]]);
  });
});

describe("fileCursors", () => {
  it("writes through no link that others have planted, and leaves no draft", async () => {
    const own = await mkdtemp(join(folder, "own-"));
    const file = join(own, "cursors.json");
    const victim = join(folder, "victim.txt");
    await writeFile(victim, "precious");
    await symlink(victim, `${file}.new`);
    const cursors = fileCursors(file);
    await Promise.all([cursors.set("__proto__", "one"), cursors.set("space:ops", "two")]);
    expect(await readFile(victim, "utf8")).toBe("precious");
    expect((await readdir(own)).sort()).toEqual(["cursors.json", "cursors.json.new"]);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
    const reopened = fileCursors(file);
    expect([await reopened.get("__proto__"), await reopened.get("space:ops")]).toEqual(["one", "two"]);
    expect(await reopened.get("toString")).toBeUndefined();
  });

  it.each(["[]", "null", "5", '{"a":5}', '"text"', ""])("rejects the content %j", async (content) => {
    const file = join(folder, "wrong.json");
    await writeFile(file, content);
    await expect(async () => fileCursors(file).get("a")).rejects.toThrow(
      /cannot read the cursors in .*wrong\.json/,
    );
  });
});
