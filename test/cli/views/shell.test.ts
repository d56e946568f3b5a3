import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { field } from "../../../cli/views/frame/form.js";
import { Shell } from "../../../cli/views/frame/shell.js";

const ENTER = { name: "enter", text: "" };
const newForm = (title: string) => ({ title, fields: [field("a", "A")], focus: 0 });

let shell: Shell;
beforeEach(() => {
  vi.useFakeTimers();
  shell = new Shell(
    () => {},
    () => ({ columns: 80, rows: 24 }),
  );
});
afterEach(() => {
  shell.stop();
  vi.useRealTimers();
});

describe("a status message", () => {
  it("disappears after 8 seconds", () => {
    shell.notify("Sent", "good");
    vi.advanceTimersByTime(7_999);
    expect(shell.state.status).toEqual({ text: "Sent", tone: "good" });
    vi.advanceTimersByTime(1);
    expect(shell.state.status).toBeUndefined();
  });

  it("is shown for 8 seconds after it replaced another one", () => {
    shell.notify("first");
    vi.advanceTimersByTime(5_000);
    shell.notify("second");
    vi.advanceTimersByTime(5_000);
    expect(shell.state.status?.text).toBe("second");
  });
});

describe("a form that is sent", () => {
  it("is closed", async () => {
    shell.openForm(newForm("first"), { submit: async () => {} });
    shell.press(ENTER);
    await vi.advanceTimersByTimeAsync(0);
    expect(shell.state.overlay).toBeUndefined();
  });

  it("does not close the form or the dialog that replaced it", async () => {
    const second = newForm("second");
    shell.openForm(newForm("first"), {
      submit: async () => shell.openForm(second, { submit: async () => {} }),
    });
    shell.press(ENTER);
    await vi.advanceTimersByTimeAsync(0);
    expect(shell.state.overlay).toMatchObject({ kind: "form", form: second });
    const question = { title: "Sure?", lines: [], yes: "send", run: () => {} };
    shell.openForm(newForm("third"), { submit: async () => shell.ask(question) });
    shell.press(ENTER);
    await vi.advanceTimersByTimeAsync(0);
    expect(shell.state.overlay).toMatchObject({ kind: "dialog", dialog: { title: "Sure?" } });
  });
});
