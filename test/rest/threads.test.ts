import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { alice, bob, carol } = await hostedFixture(["alice", "bob", "carol"]);

const textsOf = (page: Body): string[] => page.wires.map((wire: { text_body: string }) => wire.text_body);
const sendText = (from: AgentClient, to: string, text: string, parent?: Body) =>
  sendWire(from, to, { text, ...(parent && { reply_to: parent.id }) });

describe("GET /threads/{id}", () => {
  // [D5-thread-order] [S1-replies-form-thread] [S4.1-thread-any-wire]
  it("returns the root first, then replies by time, for the id or URI of any wire in the thread", async () => {
    const root = await sendText(alice, "bob", "1");
    const second = await sendText(bob, "alice", "2", root);
    await sendText(alice, "bob", "3", root);
    const last = await sendText(alice, "bob", "4", second);
    await sendText(alice, "bob", "another thread");
    for (const name of [root.id, second.id, last.id, root.thread_id, encodeURIComponent(last.uri)]) {
      const page = await expectOk(bob.get(`/threads/${name}`));
      expect(textsOf(page)).toEqual(["1", "2", "3", "4"]);
      expect(page.next_cursor).toBeNull();
    }
  });

  // [D5-thread-visible] [S4.1-thread-filtered]
  it("returns of a DM thread only the wires that the caller sent or received", async () => {
    const root = await sendText(alice, "bob", "for bob");
    const aside = await sendText(alice, "carol", "for carol", root);
    await sendText(carol, "alice", "from carol", aside);
    expect(textsOf(await expectOk(alice.get(`/threads/${root.id}`)))).toEqual([
      "for bob",
      "for carol",
      "from carol",
    ]);
    expect(textsOf(await expectOk(bob.get(`/threads/${root.id}`)))).toEqual(["for bob"]);
    expect(textsOf(await expectOk(carol.get(`/threads/${aside.thread_id}`)))).toEqual([
      "for carol",
      "from carol",
    ]);
  });

  // [D5-thread-visible]
  it("returns wires of a space that the caller can read", async () => {
    await createSpace(alice, "reading");
    const root = await sendText(alice, "#reading", "in public");
    await sendText(bob, "#reading", "reply", root);
    expect(textsOf(await expectOk(carol.get(`/threads/${root.id}`)))).toEqual(["in public", "reply"]);
  });

  // [D5-thread-none]
  it("returns 404 if the caller can read no wire of the thread", async () => {
    const dm = await sendText(alice, "bob", "between us");
    await createSpace(alice, "hidden", { visibility: "private" });
    const hidden = await sendText(alice, "#hidden", "members only");
    for (const name of [dm.id, encodeURIComponent(dm.uri), hidden.id, crypto.randomUUID(), "x"]) {
      await expectRefused(carol.get(`/threads/${name}`), "NOT_FOUND");
    }
    await expectOk(alice.put("/spaces/hidden", { members: [{ handle: "carol", role: "reader" }] }));
    expect(textsOf(await expectOk(carol.get(`/threads/${hidden.id}`)))).toEqual(["members only"]);
  });

  // [D5-thread-pages] [S4.1-thread-query]
  it("continues at a cursor, also after new replies", async () => {
    const root = await sendText(alice, "bob", "0");
    for (const text of ["1", "2", "3", "4"]) await sendText(bob, "alice", text, root);
    const first = await expectOk(alice.get(`/threads/${root.id}?limit=2`));
    expect(textsOf(first)).toEqual(["0", "1"]);
    const second = await expectOk(alice.get(`/threads/${root.id}?limit=2&cursor=${first.next_cursor}`));
    expect(textsOf(second)).toEqual(["2", "3"]);
    await sendText(bob, "alice", "5", root);
    const third = await expectOk(alice.get(`/threads/${root.id}?limit=2&cursor=${second.next_cursor}`));
    expect(textsOf(third)).toEqual(["4", "5"]);
    expect(third.next_cursor).toBeNull();
  });

  // [D5-thread-pages] [S4.1-thread-query]
  it("accepts a limit from 1, with 50 by default and values above 100 reduced to 100", async () => {
    const root = await sendText(alice, "bob", "root");
    for (let n = 0; n < 120; n += 20) {
      await Promise.all(Array.from({ length: 20 }, () => sendText(alice, "bob", "reply", root)));
    }
    const lengthAt = async (query: string) =>
      (await expectOk(bob.get(`/threads/${root.id}${query}`))).wires.length;
    expect(await lengthAt("")).toBe(50);
    expect(await lengthAt("?limit=1")).toBe(1);
    expect(await lengthAt("?limit=100")).toBe(100);
    expect(await lengthAt("?limit=101")).toBe(100);
    expect(await lengthAt("?limit=100000000")).toBe(100);
    for (const limit of ["0", "-1", "1.5", "ten", ""]) {
      await expectRefused(bob.get(`/threads/${root.id}?limit=${limit}`), "VALIDATION_ERROR");
    }
  });

  // [S4.1-thread-query]
  it("rejects a cursor of another thread, caller or list", async () => {
    const [one, two] = [await sendText(alice, "bob", "1"), await sendText(alice, "bob", "2")];
    await sendText(bob, "alice", "re", one);
    await sendText(bob, "alice", "re", two);
    const { next_cursor } = await expectOk(alice.get(`/threads/${one.id}?limit=1`));
    await expectOk(alice.get(`/threads/${one.id}?cursor=${next_cursor}`));
    await expectRefused(alice.get(`/threads/${two.id}?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(bob.get(`/threads/${one.id}?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(alice.get(`/inbox?cursor=${next_cursor}`), "VALIDATION_ERROR");
    await expectRefused(alice.get(`/threads/${one.id}?cursor=x`), "VALIDATION_ERROR");
  });
});

describe("concurrent replies", () => {
  // [S1-replies-form-thread] [D5-thread-order]
  it("are all in the thread, each once, in the same order for every reader", async () => {
    const root = await sendText(alice, "bob", "root");
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? sendText(alice, "bob", `${n}`, root) : sendText(bob, "alice", `${n}`, root),
      ),
    );
    const seen = await expectOk(alice.get(`/threads/${root.id}?limit=100`));
    expect(textsOf(seen)[0]).toBe("root");
    expect(new Set(textsOf(seen)).size).toBe(41);
    expect(seen.wires.every((wire: { thread_id: string }) => wire.thread_id === root.id)).toBe(true);
    const times = seen.wires.map((wire: { created_at: string }) => wire.created_at);
    expect(times).toEqual([...times].sort());
    expect(await expectOk(bob.get(`/threads/${root.id}?limit=100`))).toEqual(seen);
  });
});
