import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { Inbox } from "../../../cli/views/inbox/inbox.js";
import { inboxNoun } from "../../../cli/views/inbox/view.js";
import { ListDetailView } from "../../../cli/views/list-detail/view.js";
import type { Wireroom } from "../../../sdk/src/index.js";
import { renderView } from "../../harness/render-view.js";

function wireOf(number: number) {
  return {
    id: `wire-${number}`,
    thread_id: `wire-${number}`,
    sender: "bob",
    text_body: `text ${number}`,
    created_at: "2026-01-01T00:00:00.000Z",
    tombstone: null,
  };
}

interface Page {
  wires: ReturnType<typeof wireOf>[];
  tombstone_notices?: object[];
}

/** Returns the text of the inbox after these reads. The last one is repeated. */
async function inboxAfter(...reads: Page[]): Promise<string> {
  let count = 0;
  const read = async ({ limit }: { limit: number }) => {
    const { wires, tombstone_notices = [] } = reads[Math.min(count++, reads.length - 1)]!;
    const others = { knocks: [], tombstone_notices, approval_notices: [], space_notices: [] };
    return { wires: wires.slice(0, limit), ...others, next_cursor: "next" };
  };
  const threads = { get: () => new Promise(() => {}) };
  const inbox = new Inbox({ inbox: { read }, threads } as unknown as Wireroom, "me");
  const props = { name: "inbox", who: "@me", nouns: [inboxNoun(inbox)] };
  const view = await renderView((frame) => createElement(ListDetailView, { ...frame, ...props }));
  for (let each = 1; each < reads.length; each++) await view.press("f");
  // Read first: where CI is set, Ink writes an empty frame when it unmounts.
  const screen = view.screen();
  view.unmount();
  return screen;
}

describe("the count of pending items", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => wireOf(i));

  it("says that more are pending than the service returns at once", async () => {
    expect(await inboxAfter({ wires: hundred })).toContain(" 100+ pending");
    expect(await inboxAfter({ wires: hundred.slice(0, 99) })).toContain(" 99 pending");
  });

  it("leaves out what was acknowledged", async () => {
    const screen = await inboxAfter({ wires: hundred.slice(0, 3) }, { wires: hundred.slice(1, 3) });
    expect(screen).toContain(" 2 pending");
    expect(screen).toMatch(/✓ @bob +text 0/);
  });
});

describe("a removal notice", () => {
  it("can be acknowledged after another client has acknowledged its wire", async () => {
    const at = "2026-01-01T00:00:01.000Z";
    const wire = { ...wireOf(1), text_body: null, tombstone: { removed_by: "sender", at } } as never;
    const place = { wire_id: "wire-1", thread_id: "wire-1" };
    const tombstone_notices = [{ ...place, removed_by: "sender", removed_at: at }];
    const screen = await inboxAfter({ wires: [wire], tombstone_notices }, { wires: [], tombstone_notices });
    expect(screen).toContain("1 pending");
    expect(screen).toContain("d acknowledge");
  });
});
