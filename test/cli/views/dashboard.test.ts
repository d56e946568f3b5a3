import { createElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { Failure } from "../../../cli/failure.js";
import { nounsOf } from "../../../cli/views/dashboard/dashboard.js";
import type { Sources } from "../../../cli/views/dashboard/sources.js";
import { Loader } from "../../../cli/views/list-detail/loader.js";
import type { AnyNoun } from "../../../cli/views/list-detail/noun.js";
import { ListDetailView } from "../../../cli/views/list-detail/view.js";
import { WireroomError } from "../../../sdk/src/index.js";
import { type RenderedView, renderView } from "../../harness/render-view.js";

const DOWN = "down";
const NARROW = { columns: 40, rows: 12 };
const TIME = "2026-01-01T00:00:00.000Z";
const KEY = `wr_${"0123456789".repeat(4)}abc`;

function approvalOf(number: number, status: string) {
  return {
    id: `approval-${number}`,
    handle: "a-handle-of-this-human",
    target: "@a-handle-of-another-human",
    kind: "wire",
    status,
    wire: { text_body: `line ${number} of the wire`, payload: null },
    knock: null,
    error: null,
    created_at: TIME,
    decided_at: status === "pending" ? null : TIME,
  };
}

const HANDLES = Array.from({ length: 3 }, (_, i) => ({
  id: `handle-${i}`,
  slug: `handle-number-${i}`,
  display_name: `A long display name ${i}`,
  bio: null,
  tags: [],
  discoverable: true,
  contact_policy: "open",
  inbox_rule: { accepted_schemas: [], inline_schema: null, allow_text: true, votable: false },
  created_at: TIME,
}));

/**
 * Clients of a service with three handles and these approvals. `changes` replaces operations of the human.
 */
function sourcesOf(approvals: unknown[] = [], changes: Record<string, unknown> = {}): Sources {
  const human = {
    account: { get: async () => ({ id: "account", email: "me@example.com" }) },
    handles: { list: async () => ({ handles: HANDLES }) },
    keys: {
      list: async () => ({ keys: [] }),
      issue: async () => ({ id: "key", prefix: KEY.slice(0, 12), key: KEY }),
    },
    connections: { list: async () => ({ connections: [] }) },
    egress: { get: async () => ({ mode: "approval", allow: [], deny: [], publish: true }) },
    approvals: {
      list: async ({ status }: { status?: string }) => ({
        approvals: approvals.filter((each) => !status || (each as { status: string }).status === status),
      }),
    },
    audit: { list: async () => ({ entries: [] }) },
    ...changes,
  };
  const noKey = async () => {
    throw new WireroomError("no key", { code: "UNAUTHORIZED", status: 401 });
  };
  const session = {
    env: {},
    profileName: "default",
    url: async () => "http://localhost",
    profile: async () => ({}),
  };
  return { session, human, agent: noKey, resetAgent() {}, handles: new Map() } as unknown as Sources;
}

let view: RenderedView | undefined;
afterEach(() => view?.unmount());

async function open(
  sources: Sources,
  size: { columns: number; rows: number },
  ended?: (error?: Error) => void,
) {
  const props = { name: "dashboard", who: "me@example.com", nouns: nounsOf(sources) };
  view = await renderView((frame) => createElement(ListDetailView, { ...frame, ...props }), size, ended);
  await view.rendered();
  return view;
}

describe("the dashboard in a window of 40 × 12", () => {
  // [C-dashboard-narrow]
  it("shows fewer columns instead of cutting all cells", async () => {
    const { screen } = await open(sourcesOf(), NARROW);
    expect(screen()).toMatch(/▌@handle-number-0 +A long/);
    expect(screen()).not.toMatch(/created|discoverable/);
  });

  // [C-dashboard-narrow]
  it("shows cards if not even the most important columns fit", async () => {
    const approvals = [1, 2, 3, 4].map((number) => approvalOf(number, "pending"));
    const { screen, press } = await open(sourcesOf(approvals), NARROW);
    await press("5");
    expect(screen()).toMatch(/▌pending +@a-handle-of-this-human/);
    expect(screen()).toMatch(/▌wire +line 1 of the wire/);
    expect(screen()).toMatch(/ wire +line 3 of the wire/);
    expect(screen()).toContain("1 below");
    await press(DOWN, DOWN, DOWN);
    expect(screen()).toMatch(/▌wire +line 4 of the wire/);
  });

  // [C-dashboard-narrow]
  it("shows everything about a row on Enter", async () => {
    const { screen, press } = await open(sourcesOf(), NARROW);
    await press("enter");
    expect(screen()).toMatch(/╭─ Details ─+ \d+ lines below: J ─╮/);
    for (let i = 0; i < 20; i++) await press(DOWN);
    expect(screen()).toMatch(/created/);
    expect(screen()).toContain("Esc list");
    await press("escape");
    expect(screen()).not.toContain("Esc list");
    expect(screen()).toMatch(/▌@handle-number-0 +A long/);
  });

  it("scrolls the menu to the selected pane", async () => {
    const { screen, press } = await open(sourcesOf(), NARROW);
    await press("8", "tab");
    expect(screen()).toMatch(/▌8 Audit log/);
  });

  it("names the actions first, and runs none on a row that is not visible", async () => {
    const { screen, press } = await open(sourcesOf(), NARROW);
    expect(screen()).toContain("c create");
    await press("tab", "i");
    expect(screen()).toContain("✗ Open the list first");
    expect(screen()).not.toContain("Issue a key");
  });

  it("shows a new key whole, and scrolls to its last line", async () => {
    const { screen, press, rendered } = await open(sourcesOf(), NARROW);
    await press("i", "enter");
    await rendered();
    const text = screen().replaceAll(/[│\s]/g, "");
    expect(text).toContain(KEY);
    expect(screen()).toMatch(/s save to profile default/);
    for (let i = 0; i < 9; i++) await press(DOWN);
    expect(screen()).toMatch(/or save it\./);
  });

  it("leaves a new key valid that is shown but cannot be saved", async () => {
    const revoked: string[] = [];
    const keys = {
      list: async () => ({ keys: [] }),
      issue: async () => ({ id: "key", prefix: KEY.slice(0, 12), key: KEY }),
      revoke: async ({ id }: { id: string }) => void revoked.push(id),
    };
    const sources = sourcesOf([], { keys });
    const full = async () => {
      throw new Failure("FAILED", "the disk is full");
    };
    Object.assign(sources.session, { changeProfile: full });
    const { screen, press } = await open(sources, { columns: 130, rows: 30 });
    await press("i", "enter");
    await expect.poll(screen).toContain("s save to profile default");
    await press("s");
    await expect.poll(screen).toContain("the disk is full");
    expect(screen()).toContain(KEY);
    expect(revoked).toEqual([]);
  });
});

describe("the foot line of the dashboard", () => {
  it("does not name the keys that answer an approval once it is decided, and such a key explains why it does nothing", async () => {
    const { screen, press } = await open(sourcesOf([approvalOf(1, "pending"), approvalOf(2, "rejected")]), {
      columns: 130,
      rows: 30,
    });
    await press("5");
    expect(screen()).toMatch(/a approve +r reject/);
    await press(DOWN);
    expect(screen()).not.toMatch(/a approve|r reject/);
    await press("a");
    expect(screen()).toContain("✗ This wire is rejected already.");
    await press(DOWN);
    expect(screen()).not.toContain("already");
  });

  it("names the keys of the open form only", async () => {
    const { screen, press } = await open(sourcesOf(), { columns: 130, rows: 30 });
    await press("c");
    expect(screen()).not.toMatch(/i issue a key|q leave/);
    expect(screen()).toMatch(/Enter create +Tab next field +Esc close/);
  });
});

describe("a row of the dashboard", () => {
  it("becomes the active handle without a key in the profile", async () => {
    let isEnded = false;
    let profile: object = { signIn: {} };
    const sources = sourcesOf();
    Object.assign(sources.session, {
      changeProfile: async (change: (before: object) => object) => {
        profile = change(profile);
      },
    });
    const { screen, press } = await open(sources, { columns: 130, rows: 30 }, () => {
      isEnded = true;
    });
    await press("u");
    await expect.poll(screen).toContain("@handle-number-0 is the active handle now");
    expect(profile).toEqual({ signIn: {}, handle: "handle-number-0" });
    expect(isEnded).toBe(false);
  });

  it("stays selected when another row is added before it, also while the daemon refuses to load the rows", async () => {
    let list = async () => ({ handles: HANDLES.slice(1) });
    const sources = sourcesOf([], { handles: { list: () => list() } });
    const { screen, press } = await open(sources, { columns: 130, rows: 30 });
    await press(DOWN);
    expect(screen()).toContain("▌@handle-number-2");
    list = async () => {
      throw new WireroomError("not now", { code: "INTERNAL", status: 500 });
    };
    await press("f", "f");
    await expect.poll(screen).toContain("not now (INTERNAL)");
    list = async () => ({ handles: HANDLES });
    await press("f");
    await expect.poll(screen).toContain("@handle-number-0");
    expect(screen()).toContain("▌@handle-number-2");
  });
});

describe("a key that is issued in the list of handles", () => {
  it("leaves the handle selected, even if another one appears meanwhile", async () => {
    let handles = HANDLES;
    const keys = {
      list: async () => ({ keys: [] }),
      async issue() {
        handles = [{ ...HANDLES[0]!, id: "new", slug: "handle-from-elsewhere" }, ...HANDLES];
        return { id: "key", prefix: KEY.slice(0, 12), key: KEY };
      },
    };
    const sources = sourcesOf([], { keys, handles: { list: async () => ({ handles }) } });
    const { screen, press } = await open(sources, { columns: 130, rows: 30 });
    await press("i", "enter", "escape");
    expect(screen()).toContain("@handle-from-elsewhere");
    expect(screen()).toContain("▌@handle-number-0");
  });
});

describe("the filter of the dashboard", () => {
  it("keeps the rows that match, on which the keys then act, and ends with Esc or with another list", async () => {
    const { screen, press } = await open(sourcesOf(), { columns: 130, rows: 30 });
    await press("/", ..."number-2 disp".split(""));
    expect(screen()).toContain("1 of 3 match");
    expect(screen()).toMatch(/▌@handle-number-2 +A long/);
    expect(screen()).not.toContain("@handle-number-0");
    await press("enter", "i");
    expect(screen()).toMatch(/│ +@handle-number-2 +│/);
    await press("escape", "escape");
    expect(screen()).toContain("@handle-number-0");
    expect(screen()).toContain("▌@handle-number-2");
    await press("/", "0", "enter", "3", "2");
    expect(screen()).toContain("▌@handle-number-0");
    expect(screen()).toContain("@handle-number-1");
  });
});

describe("the account pane of the dashboard", () => {
  // [C-dashboard-no-key]
  it.each([
    [
      new WireroomError("the key is revoked", { code: "UNAUTHORIZED", status: 401 }),
      "the key is revoked (UNAUTHORIZED)",
    ],
    [new Failure("USAGE", "you have several handles, and none is active"), "none: you have several handles"],
  ])("says why no handle acts: %s", async (error, shown) => {
    const agent = async () => {
      throw error;
    };
    const { screen, press } = await open({ ...sourcesOf(), agent }, { columns: 130, rows: 30 });
    await press("1");
    await expect.poll(screen).toContain(shown);
  });
});

describe("polling", () => {
  /**
   * Runs a loader whose handles are loaded by `list`, until that was called so many times, and for further
   * requests to be seen.
   */
  async function poll(
    list: () => Promise<unknown>,
    times: number,
  ): Promise<{ ended: unknown[]; failed: string[] }> {
    let calls = 0;
    const counted = () => {
      calls++;
      return list();
    };
    const ended: unknown[] = [];
    const failed: string[] = [];
    const events = {
      loaded() {},
      failed: ({ id }: AnyNoun) => failed.push(id),
      answered() {},
      ended: (error: unknown) => ended.push(error),
    };
    const nouns = nounsOf(sourcesOf([], { handles: { list: counted } }));
    const handles = nouns.find(({ id }) => id === "handles")!;
    const loader = new Loader(nouns, () => handles, events, { reachable: 10, unreachable: 10 });
    const run = loader.run();
    await expect.poll(() => calls, { interval: 10 }).toBeGreaterThanOrEqual(times);
    await new Promise((resolve) => setTimeout(resolve, 100));
    loader.stop();
    await run;
    return { ended, failed };
  }

  // [C-dashboard-ended]
  it.each([
    ["FORBIDDEN", 403],
    ["UNAUTHORIZED", 401],
  ])("ends when the service rejects the sign-in with %s", async (code, status) => {
    let requests = 0;
    const { ended } = await poll(async () => {
      if (++requests > 3) throw new WireroomError("expired", { code, status });
      return { handles: HANDLES };
    }, 4);
    expect(ended).toMatchObject([{ code }]);
    expect(requests).toBe(4);
  });

  it("continues when only the key of the active handle is refused", async () => {
    let requests = 0;
    const { ended, failed } = await poll(async () => {
      requests++;
      return { handles: HANDLES };
    }, 5);
    expect(ended).toEqual([]);
    expect(failed).toEqual(["spaces", "limits"]);
    expect(requests).toBeGreaterThan(4);
  });

  // [C-dashboard-ended]
  it("ends the view with the error of the sign-in", async () => {
    const ends: unknown[] = [];
    const list = async () => {
      throw new WireroomError("expired", { code: "UNAUTHORIZED", status: 401 });
    };
    await open(sourcesOf([], { handles: { list } }), NARROW, (error) => ends.push(error));
    expect(ends).toMatchObject([{ code: "UNAUTHORIZED" }]);
  });
});
