/** Lists of approvals while retention or the deletion of an account removes some of them. */
import { expect, it } from "vitest";
import { newId } from "../../src/kernel/ids.js";
import type { Session } from "../../src/store/engine/engine.js";
import type { Body } from "../harness/daemon.js";
import { serviceFixture } from "./service-calls.js";

const { store, call, signUp, createAgent } = await serviceFixture();
const human = await signUp("alice");
await createAgent(await signUp("bob"), "bob");

/** The store, with a reader that deletes the approvals of these wires after it has read their sizes. */
function storeThatDeletes(ids: readonly string[]) {
  const { engine } = store;
  const all: Session["all"] = async (sql, params) => {
    const rows = await engine.reader.all(sql, params);
    if (/octet_length.*approvals/s.test(String(sql)))
      for (const id of ids) await engine.write((tx) => tx.run("DELETE FROM approvals WHERE ref = ?", [id]));
    return rows as never;
  };
  const reader = Object.create(engine.reader, { all: { value: all } });
  return Object.create(store, { engine: { value: Object.create(engine, { reader: { value: reader } }) } });
}

// [D9-approvals-order]
it.each([
  ["that is followed", { wait: 0 }],
  ["of all approvals", {}],
])(
  "a page %s leaves out what is deleted while it is read, and its cursor skips nothing else",
  async (_, query) => {
    const slug = `agent-${newId().slice(-12)}`;
    const agent = await createAgent(human, slug);
    await call(human, "egress.update", { slug, mode: "approval" });
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      const text = `number ${n}`;
      ids.push((await call(agent, "wires.send", { to: "bob", text })).id);
    }
    const order = "wait" in query ? ids : ids.toReversed();
    const [a, b, c, d, e, f] = order as [string, string, string, string, string, string];
    const page = async (cursor: string | undefined, deleted: string[]) => {
      const input = { ...query, handle: slug, limit: 2, ...(cursor && { cursor }) };
      const { approvals, next_cursor } = await call(
        human,
        "approvals.list",
        input,
        storeThatDeletes(deleted),
      );
      return { found: approvals.map(({ wire }: Body) => wire.id), next_cursor };
    };
    const first = await page(undefined, [a]);
    expect(first.found).toEqual([b]);
    const second = await page(first.next_cursor, [c, d]);
    expect(second.found).toEqual([]);
    const third = await page(second.next_cursor, []);
    expect(third.found).toEqual([e, f]);
  },
);
