import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Keyboard, type KeySource } from "../../../cli/views/terminal/keyboard.js";

/** A terminal that sends what a test writes. */
class Source extends EventEmitter {
  setRawMode = () => this;
  resume = () => this;
  pause = () => this;
  send(input: string | Buffer) {
    this.emit("data", input);
  }
}

/** Opens a keyboard. `keys` has the names of the keys, and the texts of pastes with `paste:` before them. */
function open() {
  const keyboard = new Source();
  const keys: string[] = [];
  new Keyboard(keyboard as unknown as KeySource, ({ name, text }) => {
    keys.push(name === "paste" ? `paste:${text}` : name);
  }).open();
  return { keyboard, keys };
}

/** Lets the keyboard emit all keys that are complete. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a keyboard", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("emits each key, however many arrive at once", async () => {
    const { keyboard, keys } = open();
    keyboard.send("ab\x1b[A木👩\r\x1bOB\x1b[1;5C\tz");
    await settled();
    expect(keys).toEqual(["a", "b", "up", "木", "👩", "enter", "down", "word-right", "tab", "z"]);
  });

  it("joins a sequence that arrives in parts", async () => {
    const { keyboard, keys } = open();
    for (const part of ["\x1b", "[1", ";5", "D"]) keyboard.send(part);
    await settled();
    expect(keys).toEqual(["word-left"]);
  });

  it("emits the Escape key when nothing follows the escape byte in time", async () => {
    vi.useRealTimers();
    const { keyboard, keys } = open();
    keyboard.send("\x1b");
    await new Promise((resolve) => setTimeout(resolve, 100));
    keyboard.send("q");
    await settled();
    expect(keys).toEqual(["escape", "q"]);
  });

  it("emits nothing for a sequence without a name", async () => {
    const { keyboard, keys } = open();
    keyboard.send("a\x1b[I\x1b.\x1b[9zb");
    await settled();
    expect(keys).toEqual(["a", "b"]);
  });

  it("tells Backspace from Delete", async () => {
    const { keyboard, keys } = open();
    keyboard.send("\x7f\x1b[3~\x1b\x7f");
    await settled();
    expect(keys).toEqual(["backspace", "delete", "meta-backspace"]);
  });

  it("emits a paste at once, with line feeds and without escape bytes", async () => {
    const { keyboard, keys } = open();
    keyboard.send("n\x1b[200~one\rtwo\r\nq\x03 \x1b[31mred");
    keyboard.send("\x1b[201~");
    vi.advanceTimersByTime(50);
    await settled();
    keyboard.send("\r");
    vi.advanceTimersByTime(50);
    await settled();
    expect(keys).toEqual(["n", `paste:one\ntwo\nq\x03 [31mred`, "enter"]);
  });

  it("emits a line end as a key if no text follows within 50 ms, else as a part of a paste", async () => {
    const { keyboard, keys } = open();
    keyboard.send("a\r");
    vi.advanceTimersByTime(49);
    await settled();
    expect(keys).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    await settled();
    expect(keys).toEqual(["a", "enter"]);
    keyboard.send("\r");
    vi.advanceTimersByTime(49);
    keyboard.send("b");
    vi.advanceTimersByTime(49);
    keyboard.send("c");
    vi.advanceTimersByTime(50);
    await settled();
    expect(keys).toEqual(["a", "enter", `paste:\nbc`]);
  });

  it("emits a paste without marks at once, although a read ends within a character", async () => {
    const { keyboard, keys } = open();
    const bytes = Buffer.from("木曜\r日\r\n本\r");
    for (const byte of bytes) keyboard.send(Buffer.from([byte]));
    vi.advanceTimersByTime(50);
    await settled();
    expect(keys).toEqual(["木", "曜", `paste:\n日\n本\n`]);
  });

  it("ends a paste without an end mark after two seconds", async () => {
    const { keyboard, keys } = open();
    keyboard.send("\x1b[200~lost");
    vi.advanceTimersByTime(1_900);
    await settled();
    expect(keys).toEqual([]);
    vi.advanceTimersByTime(200);
    await settled();
    keyboard.send("q");
    await settled();
    expect(keys).toEqual([`paste:lost`, "q"]);
  });

  it("ends a paste without an end mark at Ctrl-C", async () => {
    const { keyboard, keys } = open();
    keyboard.send("\x1b[200~lost");
    keyboard.send("\x03");
    await settled();
    expect(keys).toEqual([`paste:lost`, "ctrl-c"]);
  });

  it("emits a paste of more than a million characters in parts", async () => {
    const { keyboard, keys } = open();
    keyboard.send(`\x1b[200~${"x".repeat(1_200_000)}`);
    keyboard.send(`${"y".repeat(10)}\x1b[201~`);
    vi.advanceTimersByTime(50);
    await settled();
    keyboard.send("k");
    await settled();
    expect(keys.at(-1)).toBe("k");
    const parts = keys.slice(0, -1).map((part) => part.replace("paste:", ""));
    expect(parts.length).toBe(2);
    expect(parts.join("")).toBe(`${"x".repeat(1_200_000)}${"y".repeat(10)}`);
  });

  it("names control keys and modified keys", async () => {
    const { keyboard, keys } = open();
    keyboard.send("\x17\x1bb\x1b\r\x1b[Z\x1a A");
    await settled();
    expect(keys).toEqual(["ctrl-w", "meta-b", "meta-enter", "shift-tab", "ctrl-z", " ", "A"]);
  });
});
