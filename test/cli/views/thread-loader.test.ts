import { describe, expect, it, vi } from "vitest";
import type { Thread } from "../../../cli/views/inbox/thread.js";
import { ThreadLoader } from "../../../cli/views/inbox/thread-loader.js";
import type { InboxItem, Wire, Wireroom } from "../../../sdk/src/index.js";

interface Request {
  id: string;
  cursor?: string;
  answer(wires: Wire[], next_cursor: string | null): Promise<void>;
}

/** A loader whose requests a test answers, in any order. */
function open() {
  const requests: Request[] = [];
  const get = ({ id, cursor }: { id: string; cursor?: string }) =>
    new Promise((resolve) => {
      requests.push({
        id,
        ...(cursor !== undefined && { cursor }),
        async answer(wires, next_cursor) {
          resolve({ wires, next_cursor });
          await turn();
        },
      });
    });
  let thread: Thread | undefined;
  const loader = new ThreadLoader({ threads: { get } } as unknown as Wireroom, {
    getThread: () => thread,
    getSelected: () => thread?.placed[0]?.wire.id,
    show: (next) => {
      thread = next;
    },
    fail: (error) => {
      throw error;
    },
  });
  return { loader, requests, shown: () => thread?.placed.map(({ wire }) => wire.id) };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

function wire(id: string, thread: string): Wire {
  return { id, thread_id: thread, reply_to: null } as Wire;
}

async function select(loader: ThreadLoader, id: string, thread: string): Promise<void> {
  loader.follow({ kind: "wire", wire: wire(id, thread) } as InboxItem);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

describe("the loader of threads", () => {
  it("adds the next page to the thread", async () => {
    const { loader, requests, shown } = open();
    await select(loader, "a1", "a");
    await requests[0]!.answer([wire("a1", "a")], "page 2");
    const loading = loader.more();
    expect(requests[1]).toMatchObject({ id: "a1", cursor: "page 2" });
    await requests[1]!.answer([wire("a2", "a")], null);
    await loading;
    expect(shown()).toEqual(["a1", "a2"]);
  });

  it("drops a next page that arrives after another thread was selected", async () => {
    const { loader, requests, shown } = open();
    await select(loader, "a1", "a");
    await requests[0]!.answer([wire("a1", "a")], "page 2");
    const loading = loader.more();
    await select(loader, "b1", "b");
    await requests[2]!.answer([wire("b1", "b")], null);
    await requests[1]!.answer([wire("a2", "a")], null);
    await loading;
    expect(shown()).toEqual(["b1"]);
  });

  it("loads as many wires as were shown when a new wire arrives", async () => {
    const { loader, requests, shown } = open();
    await select(loader, "a1", "a");
    await requests[0]!.answer([wire("a1", "a")], "page 2");
    const loading = loader.more();
    await requests[1]!.answer([wire("a2", "a")], "page 3");
    await loading;
    loader.reloadFor([{ kind: "wire", wire: wire("a4", "a") } as InboxItem]);
    await turn();
    await requests[2]!.answer([wire("a1", "a")], "page 2");
    expect(requests[3]).toMatchObject({ id: "a1", cursor: "page 2" });
    await requests[3]!.answer([wire("a2", "a")], "page 3");
    expect(shown()).toEqual(["a1", "a2"]);
    expect(requests).toHaveLength(4);
  });

  it("does not show a cached thread without the selected wire", async () => {
    const { loader, requests, shown } = open();
    await select(loader, "a1", "a");
    await requests[0]!.answer([wire("a1", "a")], null);
    await select(loader, "a2", "a");
    expect(shown()).toBeUndefined();
    await requests[1]!.answer([wire("a1", "a"), wire("a2", "a")], null);
    expect(shown()).toEqual(["a1", "a2"]);
  });

  it("loads the thread again when a claim expires", async () => {
    const { loader, requests } = open();
    const claimed = (id: string) => {
      const claim = {
        state: "claimed",
        by: "bob",
        attempt: 1,
        until: new Date(Date.now() + 50).toISOString(),
      };
      return { ...wire(id, id), claim } as Wire;
    };
    await select(loader, "a1", "a");
    await requests[0]!.answer([claimed("a1")], null);
    await expect.poll(() => requests.length, { timeout: 5_000 }).toBe(2);
    expect(requests[1]).toMatchObject({ id: "a1" });
    await requests[1]!.answer([wire("a1", "a")], null);
    loader.stop();
  });

  it("loads the thread less and less often if a claim outlives its end by this clock", async () => {
    vi.useFakeTimers();
    const { loader, requests } = open();
    const claim = {
      state: "claimed",
      by: "bob",
      attempt: 1,
      until: new Date(Date.now() - 1_000).toISOString(),
    };
    loader.follow({ kind: "wire", wire: wire("a1", "a") } as InboxItem);
    for (let second = 0; second < 60; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      const answering = requests.at(-1)!.answer([{ ...wire("a1", "a"), claim } as Wire], null);
      await vi.advanceTimersByTimeAsync(1);
      await answering;
    }
    expect(requests.length).toBeLessThan(8);
    loader.stop();
    vi.useRealTimers();
  });

  it("drops the thread of an earlier selection", async () => {
    const { loader, requests, shown } = open();
    await select(loader, "a1", "a");
    await select(loader, "b1", "b");
    await requests[1]!.answer([wire("b1", "b")], null);
    await requests[0]!.answer([wire("a1", "a")], null);
    expect(shown()).toEqual(["b1"]);
  });
});
