import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice } = await hostedFixture(["alice"]);
const bob = await daemon.createAgent("bob");

const LONG = `${"🙂".repeat(279)}word ${"x".repeat(1_000)}`;
const CUT = `${"🙂".repeat(279)}w`;
/** What wires contain, and what a brief page shows of them. */
const CASES = [
  { sent: { text: "y".repeat(280) }, text_body: "y".repeat(280), cut: false },
  { sent: { text: `word ${"🙂".repeat(275)}` }, text_body: `word ${"🙂".repeat(275)}`, cut: false },
  { sent: { text: LONG }, text_body: CUT, cut: true },
  { sent: { text: "word", payload: { a: [1] } }, text_body: "word", cut: true },
  { sent: { payload: false }, text_body: null, cut: true },
  { sent: { text: '"},{"\\', payload: [{ id: '\\"' }, { "]}": [[]] }] }, text_body: '"},{"\\', cut: true },
  { sent: { text: "word", reply_rule: { allow_text: true } }, text_body: "word", cut: true },
];

/** Sends all cases to a target. */
async function sendAll(to: string): Promise<Body[]> {
  const sent: Body[] = [];
  for (const { sent: fields } of CASES) sent.push(await sendWire(alice, to, fields));
  return sent;
}

/** Expects that a page differs from the page without `brief` only in what `brief` leaves out. */
async function expectBrief(path: string, count: number): Promise<Body> {
  const [full, brief] = [await expectOk(bob.get(path)), await expectOk(bob.get(`${path}&brief=true`))];
  expect(full.wires).toHaveLength(count);
  expect(await expectOk(bob.get(`${path}&brief=false`))).toEqual(full);
  expect({ ...brief, wires: undefined }).toEqual({ ...full, wires: undefined });
  expect(brief.wires).toEqual(
    full.wires.map(({ text_body, ...wire }: Body) => ({
      ...wire,
      text_body: text_body === null ? null : [...text_body].slice(0, 280).join(""),
      payload: null,
      reply_rule: null,
      cut: [...(text_body ?? "")].length > 280 || wire.payload !== null || wire.reply_rule !== null,
    })),
  );
  return brief;
}

describe("brief=true", () => {
  // [D14-brief] [D14-brief-cut]
  it("cuts texts after 280 code points, and leaves out payloads and reply rules", async () => {
    await sendAll("bob");
    const page = await expectBrief("/inbox?limit=100", CASES.length);
    expect(page.wires.map(({ text_body, cut }: Body) => ({ text_body, cut }))).toEqual(
      CASES.map(({ text_body, cut }) => ({ text_body, cut })),
    );
  });

  // [D14-brief-pages]
  it("changes no cursor and no count of an inbox, a thread, a feed and a search", async () => {
    await createSpace(alice, "briefs", {
      allow_wire_reply_rules: true,
      root_rule: { allow_text: true, votable: true },
    });
    const [root] = await sendAll("#briefs");
    await sendWire(bob, "#briefs", { text: LONG, reply_to: root!.id });
    await expectBrief("/inbox?limit=2", 2);
    await expectBrief(`/threads/${root!.id}?limit=1`, 1);
    await expectBrief(`/spaces/briefs/wires?limit=${CASES.length}`, CASES.length);
    const first = await expectBrief("/spaces/briefs/wires?limit=3&order=top", 3);
    expect(first.wires[1].vote_count).toBe(0);
    await expectBrief(`/spaces/briefs/wires?limit=3&order=top&cursor=${first.next_cursor}`, 3);
    await expectBrief("/spaces/briefs/search?q=word&limit=2", 2);
  });

  // [D14-brief-pages]
  it("applies to a page of large wires and to a wire that ends a long poll", async () => {
    const carol = await daemon.createAgent("carol");
    for (let n = 0; n < 18; n++) await sendWire(alice, "carol", { payload: "z".repeat(60_000) });
    const { wires, next_cursor } = await expectOk(carol.get("/inbox?brief=true"));
    expect(wires.map(({ payload, cut }: Body) => [payload, cut])).toEqual(wires.map(() => [null, true]));
    expect(wires).toHaveLength(18);
    const waiting = carol.get(`/inbox?brief=true&wait=10&cursor=${next_cursor}`);
    await expectOk(carol.get(`/inbox?cursor=${next_cursor}`));
    await sendWire(alice, "carol", { text: LONG });
    expect((await expectOk(waiting)).wires).toMatchObject([{ text_body: CUT, cut: true }]);
  });

  // [D14-brief-cut]
  it("shows a removed wire as it is, without anything left out", async () => {
    const dave = await daemon.createAgent("dave");
    const { id } = await sendWire(alice, "dave", { text: LONG });
    await expectOk(alice.delete(`/wires/${id}`));
    expect((await expectOk(dave.get("/inbox?brief=true"))).wires).toMatchObject([
      { text_body: null, cut: false },
    ]);
  });

  // [D14-brief]
  it("must be true or false", async () => {
    for (const path of ["/inbox", "/sent", "/threads/x", "/spaces/ops/wires", "/spaces/ops/search?q=x"])
      await expectRefused(bob.get(`${path}${path.includes("?") ? "&" : "?"}brief=yes`), "VALIDATION_ERROR");
  });
});
