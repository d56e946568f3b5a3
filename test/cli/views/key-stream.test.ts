import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type KeySource, KeyStream, PASTE_MARK } from "../../../cli/views/terminal/key-stream.js";

/** A terminal that sends what a test writes. */
class Keyboard extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean) {
    this.isRaw = isRaw;
    return this;
  }
  resume = () => this;
  pause = () => this;
  ref = () => this;
  unref = () => this;
  send(input: string | Buffer) {
    this.emit("data", input);
  }
}

function open() {
  const keyboard = new Keyboard();
  const suspend = vi.fn();
  const stream = new KeyStream(keyboard as unknown as KeySource, suspend);
  stream.setRawMode(true);
  const chunks: string[] = [];
  stream.on("data", (chunk: string) => chunks.push(chunk));
  return { keyboard, stream, chunks, suspend };
}

/** Lets the stream emit all chunks that are complete. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a stream of keys", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("emits one key per chunk, however many arrive at once", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("ab\x1b[A木👩\r\x1bOB\x1b[1;5C\tz");
    await settled();
    expect(chunks).toEqual(["a", "b", "\x1b[A", "木", "👩", "\r", "\x1bOB", "\x1b[1;5C", "\t", "z"]);
  });

  it("joins a sequence that arrives in parts", async () => {
    const { keyboard, chunks } = open();
    for (const part of ["\x1b", "[1", ";5", "D"]) keyboard.send(part);
    await settled();
    expect(chunks).toEqual(["\x1b[1;5D"]);
  });

  it("emits the Escape key when nothing follows the escape byte in time", async () => {
    vi.useRealTimers();
    const { keyboard, chunks } = open();
    keyboard.send("\x1b");
    await new Promise((resolve) => setTimeout(resolve, 100));
    keyboard.send("q");
    await settled();
    expect(chunks).toEqual(["\x1b[27u", "q"]);
  });

  it("emits nothing for a sequence without a name", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("a\x1b[I\x1b.\x1b[9zb");
    await settled();
    expect(chunks).toEqual(["a", "b"]);
  });

  it("tells Backspace from Delete", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("\x7f\x1b[3~\x1b\x7f");
    await settled();
    expect(chunks).toEqual(["\b", "\x1b[3~", "\x1b\b"]);
  });

  it("emits a paste as one chunk, with line feeds and without escape bytes", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("n\x1b[200~one\rtwo\r\nq\x03 \x1b[31mred");
    keyboard.send("\x1b[201~");
    vi.advanceTimersByTime(50);
    await settled();
    keyboard.send("\r");
    vi.advanceTimersByTime(50);
    await settled();
    expect(chunks).toEqual(["n", `${PASTE_MARK}one\ntwo\nq\x03 [31mred`, "\r"]);
  });

  it("emits a line end as a key if no text follows within 50 ms, else as a part of a paste", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("a\r");
    vi.advanceTimersByTime(49);
    await settled();
    expect(chunks).toEqual(["a"]);
    vi.advanceTimersByTime(1);
    await settled();
    expect(chunks).toEqual(["a", "\r"]);
    keyboard.send("\r");
    vi.advanceTimersByTime(49);
    keyboard.send("b");
    vi.advanceTimersByTime(49);
    keyboard.send("c");
    vi.advanceTimersByTime(50);
    await settled();
    expect(chunks).toEqual(["a", "\r", `${PASTE_MARK}\nbc`]);
  });

  it("emits a paste without marks as one chunk, although a read ends within a character", async () => {
    const { keyboard, chunks } = open();
    const bytes = Buffer.from("木曜\r日\r\n本\r");
    for (const byte of bytes) keyboard.send(Buffer.from([byte]));
    vi.advanceTimersByTime(50);
    await settled();
    expect(chunks).toEqual(["木", "曜", `${PASTE_MARK}\n日\n本\n`]);
  });

  it("ends a paste without an end mark after two seconds", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("\x1b[200~lost");
    vi.advanceTimersByTime(1_900);
    await settled();
    expect(chunks).toEqual([]);
    vi.advanceTimersByTime(200);
    await settled();
    keyboard.send("q");
    await settled();
    expect(chunks).toEqual([`${PASTE_MARK}lost`, "q"]);
  });

  it("ends a paste without an end mark at Ctrl-C", async () => {
    const { keyboard, chunks } = open();
    keyboard.send("\x1b[200~lost");
    keyboard.send("\x03");
    await settled();
    expect(chunks).toEqual([`${PASTE_MARK}lost`, "\x03"]);
  });

  it("emits a paste of more than a million characters in parts", async () => {
    const { keyboard, chunks } = open();
    keyboard.send(`\x1b[200~${"x".repeat(1_200_000)}`);
    keyboard.send(`${"y".repeat(10)}\x1b[201~`);
    vi.advanceTimersByTime(50);
    await settled();
    keyboard.send("k");
    await settled();
    expect(chunks.at(-1)).toBe("k");
    const parts = chunks.slice(0, -1).map((chunk) => chunk.replace(PASTE_MARK, ""));
    expect(parts.length).toBe(2);
    expect(parts.join("")).toBe(`${"x".repeat(1_200_000)}${"y".repeat(10)}`);
  });

  it("suspends at Ctrl-Z and emits no chunk for it", async () => {
    const { keyboard, chunks, suspend } = open();
    keyboard.send("a\x1ab");
    await settled();
    expect(suspend).toHaveBeenCalledOnce();
    expect(chunks).toEqual(["a", "b"]);
  });
});
