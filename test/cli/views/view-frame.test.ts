import { createElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { field, valuesOf } from "../../../cli/views/frame/form.js";
import type { KeyBinding } from "../../../cli/views/frame/key-bindings.js";
import { ViewFrame } from "../../../cli/views/frame/view-frame.js";
import { type RenderedView, renderView } from "../../harness/render-view.js";

const DOWN = "down";
const SIZES = [
  { columns: 40, rows: 12 },
  { columns: 60, rows: 15 },
  { columns: 200, rows: 60 },
];

let view: RenderedView;
afterEach(() => view.unmount());

async function open(
  bindings: readonly KeyBinding[] | (() => KeyBinding[]) = [],
  size = { columns: 80, rows: 24 },
): Promise<RenderedView> {
  const getBindings = typeof bindings === "function" ? bindings : () => bindings;
  view = await renderView(
    (props) => createElement(ViewFrame, { ...props, name: "test", who: "@me", bindings: getBindings }),
    size,
  );
  return view;
}

/** Checks that a frame fits its window, without its last row. */
function expectFitting(screen: string, { columns, rows }: { columns: number; rows: number }): void {
  const lines = screen.split("\n");
  expect(lines.length).toBeLessThanOrEqual(rows - 1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
}

const LONG = Array.from({ length: 30 }, (_, i) => `Paragraph ${i + 1} of what would happen.`);

describe("a dialog", () => {
  it.each(SIZES)("has its last line and its keys in a window of $columns × $rows", async (size) => {
    const { shell, screen, rendered, press } = await open([], size);
    let answer = "";
    shell.ask({ title: "Really?", lines: LONG, yes: "do it", run: () => (answer = "yes") });
    await rendered();
    expectFitting(screen(), size);
    expect(screen()).toMatch(/y do it +n no, leave it/);
    for (let i = 0; i < 40; i++) await press(DOWN);
    expect(screen()).toContain("Paragraph 30 of");
    expectFitting(screen(), size);
    await press("y");
    expect(answer).toBe("yes");
    expect(screen()).not.toContain("Really?");
  });

  it.each(SIZES)("lists every key of the view in a window of $columns × $rows", async (size) => {
    const bindings = Array.from({ length: 16 }, (_, i) => {
      const key = String.fromCharCode(97 + i);
      return { keys: [key], shown: key, label: `action ${key}`, run() {} };
    });
    const { screen, press } = await open(bindings, size);
    await press("?");
    expectFitting(screen(), size);
    const seen = new Set<string>();
    for (let i = 0; i < 20; i++) {
      for (const [label] of screen().matchAll(/action \w|leave at once/g)) seen.add(label);
      await press(DOWN);
    }
    expect([...seen].sort()).toEqual([...bindings.map(({ label }) => label), "leave at once"].sort());
    await press("x");
    expect(screen()).not.toContain("Keys");
  });
});

describe("a form", () => {
  const form = {
    title: "New wire",
    fields: [
      field("to", "To"),
      field("text", "Text", { isMultiline: true }),
      field("json", "Payload", { isMultiline: true }),
    ],
    focus: 0,
  };

  it.each(SIZES)(
    "shows the focused field, the reasons and the keys in a window of $columns × $rows",
    async (size) => {
      const { shell, screen, press } = await open([], size);
      shell.openForm(form, {
        async submit() {
          throw new Error("it was refused for a reason");
        },
      });
      await press(
        "@",
        "b",
        "tab",
        ..."some words that are wrapped between words, not within".split(""),
        "enter",
      );
      expectFitting(screen(), size);
      expect(screen()).toMatch(/▸ Text/);
      expect(screen()).toMatch(/Enter send/);
      expect(screen()).toMatch(/Esc close/);
      expect(screen()).toContain("it was refused");
      await press("tab");
      expect(screen()).toMatch(/▸ Payload/);
      expectFitting(screen(), size);
    },
  );

  it("cuts a title that is too long, and keeps the corners", async () => {
    const size = { columns: 40, rows: 12 };
    const { shell, screen, rendered } = await open([], size);
    shell.openForm(
      { ...form, title: "A title that is longer than the window is wide" },
      { submit: async () => {} },
    );
    await rendered();
    expect(screen()).toMatch(/╭─ A title that is .*…─╮/);
    expectFitting(screen(), size);
  });

  it("takes typed keys, pastes and line breaks as text", async () => {
    const { shell, screen, press, paste } = await open([{ keys: ["q"], run: () => expect.unreachable() }]);
    let sent: string | undefined;
    shell.openForm(form, {
      async submit(filled) {
        sent = valuesOf(filled).text;
      },
    });
    await press("tab", "q", "?", "meta-enter");
    await paste("pasted\nlines");
    await press("ctrl-j", "e", "n", "d", "enter");
    expect(sent).toBe("q?\npasted\nlines\nend");
    expect(screen()).not.toContain("New wire");
  });

  it("is kept by its owner when it is closed", async () => {
    const { shell, press } = await open();
    let draft = "";
    shell.openForm(form, {
      submit: async () => {},
      onCancel: (closed) => (draft = valuesOf(closed).to!),
    });
    await press("h", "i", "escape");
    expect(draft).toBe("hi");
  });
});

describe("the foot line", () => {
  it("names the keys that do something now, and the others do not run", async () => {
    let isOn = false;
    let runs = 0;
    const { shell, screen, press } = await open(() => [
      { keys: ["x"], label: "run", refusal: isOn ? undefined : "Not now.", run: () => runs++ },
    ]);
    expect(screen()).not.toContain("x run");
    await press("x");
    expect(runs).toBe(0);
    expect(screen()).toContain("✗ Not now.");
    isOn = true;
    shell.notify("changed");
    await press("x");
    expect(runs).toBe(1);
    expect(screen()).toContain("x run");
  });

  it("names neither help nor leave while keys are text", async () => {
    const typed: string[] = [];
    const { screen, press } = await open([{ keys: ["any"], run: ({ text }) => typed.push(text) }]);
    await press("q", "?");
    expect(typed).toEqual(["q", "?"]);
    expect(screen()).not.toMatch(/q leave|\? help/);
  });

  it("names only the keys of the form while one is open", async () => {
    const { shell, screen, rendered } = await open([{ keys: ["r"], label: "reply", run() {} }]);
    expect(screen()).toMatch(/r reply +\? help +q leave/);
    shell.openForm({ title: "Form", fields: [field("a", "A")], focus: 0 }, { submit: async () => {} });
    await rendered();
    expect(screen()).not.toMatch(/r reply|q leave/);
    expect(screen()).toContain("Ctrl-C leave at once");
  });
});

describe("a status message", () => {
  it("disappears with the next key", async () => {
    const { shell, screen, press, rendered } = await open();
    shell.notify("Sent to @bob", "good");
    await rendered();
    expect(screen()).toContain("✓ Sent to @bob");
    await press("z");
    expect(screen()).not.toContain("Sent to @bob");
  });
});

describe("the head line", () => {
  it.each([40, 45])("separates the user from the connection in %i columns", async (columns) => {
    view = await renderView(
      (props) =>
        createElement(ViewFrame, {
          ...props,
          name: "dashboard",
          who: "ada.lovelace@example.com",
          bindings: () => [],
        }),
      { columns, rows: 12 },
    );
    view.shell.connected();
    await view.rendered();
    // Ink keeps the space at the end if the process has loaded it with colours.
    expect(view.screen().split("\n")[0]!.trimEnd()).toMatch(/ ● live$/);
  });
});
