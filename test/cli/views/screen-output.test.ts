import { describe, expect, it } from "vitest";
import { CLEAR, ScreenOutput } from "../../../cli/views/terminal/screen-output.js";

function open(colour = true) {
  const written: string[] = [];
  const target = { columns: 80, write: (text: string) => written.push(text) > 0 };
  return { output: new ScreenOutput(target as unknown as NodeJS.WriteStream, colour), written };
}

describe("the output of a view", () => {
  it("starts every update in the first row", () => {
    const { output, written } = open();
    output.write("\x1b[2A\x1b[1GONE\x1b[K\n");
    expect(written).toEqual(["\x1b[H\x1b[1G\x1b[KONE\n"]);
  });

  it("erases a changed line before its text, because a terminal stays on the last column after a full line", () => {
    const { output, written } = open();
    output.write("\x1b[3A\x1b[E\x1b[1G│ \x1b[1mfull\x1b[22m │\x1b[K\n\x1b[E\x1b[1Glast\x1b[K\n");
    expect(written).toEqual(["\x1b[H\x1b[E\x1b[1G\x1b[K│ \x1b[1mfull\x1b[22m │\n\x1b[E\x1b[1G\x1b[Klast\n"]);
  });

  it("sets the column after characters that terminals draw with different widths", () => {
    const { output, written } = open();
    output.write("│ 👩‍👩‍👧 ok │\nplain 木 │");
    expect(written).toEqual(["│   \x1b[3G👩‍👩‍👧\x1b[5G ok │\nplain 木 │"]);
  });

  it("counts no columns for styles", () => {
    const { output, written } = open();
    output.write("\x1b[1mab\x1b[22m❤️|");
    expect(written).toEqual(["\x1b[1mab\x1b[22m  \x1b[3G❤️\x1b[5G|"]);
  });

  it("removes colours, but not bold, faint and inverse, when colours are not wanted", () => {
    const { output, written } = open(false);
    output.write("\x1b[36m\x1b[1mname\x1b[22m\x1b[39m \x1b[7mx\x1b[27m\x1b[38;5;9my\x1b[39m");
    expect(written).toEqual(["\x1b[1mname\x1b[22m \x1b[7mx\x1b[27my"]);
  });

  it("writes nothing after it was closed", () => {
    const { output, written } = open();
    output.write(CLEAR);
    output.close();
    output.write("a last frame");
    expect(written).toEqual([CLEAR]);
  });
});
