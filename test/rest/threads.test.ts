import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, send } from "../harness/talk.js";

const { alice, bob, carol } = await fileDaemon(["alice", "bob", "carol"]);

const textsOf = (page: Body): string[] => page.wires.map((wire: { text_body: string }) => wire.text_body);
const say = (from: AgentClient, to: string, text: string, parent?: Body) =>
  send(from, to, { text, ...(parent && { reply_to: parent.id }) });

describe("GET /threads/{id}", () => {
  it("answers root first, then by time, for any wire of the thread, by id or URI [D5-thread-order] [S4.1-thread-any-wire] [S1-replies-form-thread]", async () => {
    const root = await say(alice, "bob", "1");
    const second = await say(bob, "alice", "2", root);
    await say(alice, "bob", "3", root);
    const last = await say(alice, "bob", "4", second);
    await say(alice, "bob", "another thread");
    for (const name of [root.id, second.id, last.id, root.thread_id, encodeURIComponent(last.uri)]) {
      const page = await ok(bob.get(`/threads/${name}`));
      expect(textsOf(page)).toEqual(["1", "2", "3", "4"]);
      expect(page.next_cursor).toBeNull();
    }
  });

  it("shows of a DM thread what the caller sent or received [S4.1-thread-filtered] [D5-thread-visible]", async () => {
    const root = await say(alice, "bob", "for bob");
    const aside = await say(alice, "carol", "for carol", root);
    await say(carol, "alice", "from carol", aside);
    expect(textsOf(await ok(alice.get(`/threads/${root.id}`)))).toEqual([
      "for bob",
      "for carol",
      "from carol",
    ]);
    expect(textsOf(await ok(bob.get(`/threads/${root.id}`)))).toEqual(["for bob"]);
    expect(textsOf(await ok(carol.get(`/threads/${aside.thread_id}`)))).toEqual(["for carol", "from carol"]);
  });

  it("shows the wires of a space that the caller can read [D5-thread-visible]", async () => {
    await createSpace(alice, "reading");
    const root = await say(alice, "#reading", "in public");
    await say(bob, "#reading", "reply", root);
    expect(textsOf(await ok(carol.get(`/threads/${root.id}`)))).toEqual(["in public", "reply"]);
  });

  it("is 404 where the caller sees no wire of it, a private space included [D5-thread-none]", async () => {
    const dm = await say(alice, "bob", "between us");
    await createSpace(alice, "hidden", { visibility: "private" });
    const hidden = await say(alice, "#hidden", "members only");
    for (const name of [dm.id, encodeURIComponent(dm.uri), hidden.id, crypto.randomUUID(), "x"]) {
      await refused(carol.get(`/threads/${name}`), "NOT_FOUND");
    }
    await ok(alice.put("/spaces/hidden", { members: [{ handle: "carol", role: "reader" }] }));
    expect(textsOf(await ok(carol.get(`/threads/${hidden.id}`)))).toEqual(["members only"]);
  });

  it("goes on where a cursor says, also after new replies [D5-thread-pages] [S4.1-thread-query]", async () => {
    const root = await say(alice, "bob", "0");
    for (const text of ["1", "2", "3", "4"]) await say(bob, "alice", text, root);
    const first = await ok(alice.get(`/threads/${root.id}?limit=2`));
    expect(textsOf(first)).toEqual(["0", "1"]);
    const second = await ok(alice.get(`/threads/${root.id}?limit=2&cursor=${first.next_cursor}`));
    expect(textsOf(second)).toEqual(["2", "3"]);
    await say(bob, "alice", "5", root);
    const third = await ok(alice.get(`/threads/${root.id}?limit=2&cursor=${second.next_cursor}`));
    expect(textsOf(third)).toEqual(["4", "5"]);
    expect(third.next_cursor).toBeNull();
  });

  it("takes a limit from 1, 50 by default, above 100 as 100 [D5-thread-pages] [S4.1-thread-query]", async () => {
    const root = await say(alice, "bob", "root");
    for (let n = 0; n < 120; n += 20) {
      await Promise.all(Array.from({ length: 20 }, () => say(alice, "bob", "reply", root)));
    }
    const lengthAt = async (query: string) => (await ok(bob.get(`/threads/${root.id}${query}`))).wires.length;
    expect(await lengthAt("")).toBe(50);
    expect(await lengthAt("?limit=1")).toBe(1);
    expect(await lengthAt("?limit=100")).toBe(100);
    expect(await lengthAt("?limit=101")).toBe(100);
    expect(await lengthAt("?limit=100000000")).toBe(100);
    for (const limit of ["0", "-1", "1.5", "ten", ""]) {
      await refused(bob.get(`/threads/${root.id}?limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  it("refuses a cursor of another thread, caller or list [S4.1-thread-query]", async () => {
    const [one, two] = [await say(alice, "bob", "1"), await say(alice, "bob", "2")];
    await say(bob, "alice", "re", one);
    await say(bob, "alice", "re", two);
    const { next_cursor } = await ok(alice.get(`/threads/${one.id}?limit=1`));
    await ok(alice.get(`/threads/${one.id}?cursor=${next_cursor}`));
    await refused(alice.get(`/threads/${two.id}?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await refused(bob.get(`/threads/${one.id}?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await refused(alice.get(`/inbox?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await refused(alice.get(`/threads/${one.id}?cursor=x`), "VALIDATION_ERROR");
  });
});

describe("replies at the same time", () => {
  it("all land in the thread, each once, in one order for everyone [S1-replies-form-thread] [D5-thread-order]", async () => {
    const root = await say(alice, "bob", "root");
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? say(alice, "bob", `${n}`, root) : say(bob, "alice", `${n}`, root),
      ),
    );
    const seen = await ok(alice.get(`/threads/${root.id}?limit=100`));
    expect(textsOf(seen)[0]).toBe("root");
    expect(new Set(textsOf(seen)).size).toBe(41);
    expect(seen.wires.every((wire: { thread_id: string }) => wire.thread_id === root.id)).toBe(true);
    const times = seen.wires.map((wire: { created_at: string }) => wire.created_at);
    expect(times).toEqual([...times].sort());
    expect(await ok(bob.get(`/threads/${root.id}?limit=100`))).toEqual(seen);
  });
});
