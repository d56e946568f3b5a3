import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { EMPTY_INBOX, layoutOf } from "../../../cli/views/inbox/inbox.js";
import { type Entry, merged } from "../../../cli/views/inbox/items.js";
import { InboxList } from "../../../cli/views/inbox/view.js";
import type { InboxItem } from "../../../sdk/src/index.js";
import { renderView } from "../../harness/render-view.js";

const SIZE = { columns: 100, rows: 30 };

function wireItem(number: number): InboxItem {
  const wire = {
    id: `wire-${number}`,
    sender: "bob",
    text_body: `text ${number}`,
    created_at: "2026-01-01T00:00:00.000Z",
    tombstone: null,
  };
  return { kind: "wire", wire } as InboxItem;
}

/** Returns the text of the list pane after these reads. */
async function listAfter(...reads: { items: InboxItem[]; hasMorePending: boolean }[]): Promise<string> {
  const entries = reads.reduce<Entry[]>((before, { items }) => merged(before, items), []);
  const { hasMorePending } = reads.at(-1)!;
  const state = { ...EMPTY_INBOX, entries, hasMorePending };
  const props = { state, layout: layoutOf(SIZE), hasRead: true, position: { first: 0 } };
  const view = await renderView(() => createElement(InboxList, props), SIZE);
  // Read first: where CI is set, Ink writes an empty frame when it unmounts.
  const screen = view.screen();
  view.unmount();
  return screen;
}

describe("the count of pending items", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => wireItem(i));

  it("says that more are pending than the service returns at once", async () => {
    expect(await listAfter({ items: hundred, hasMorePending: true })).toContain(" 100+ pending");
    expect(await listAfter({ items: hundred.slice(0, 99), hasMorePending: false })).toContain(" 99 pending");
  });

  it("leaves out what was acknowledged", async () => {
    const first = { items: hundred.slice(0, 3), hasMorePending: false };
    const screen = await listAfter(first, { items: hundred.slice(1, 3), hasMorePending: false });
    expect(screen).toContain(" 2 pending");
    expect(screen).toMatch(/✓ @bob +text 0/);
  });
});
