import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { edited, fieldLines, type TextBuffer, textOf } from "../../../cli/views/frame/text-buffer.js";

/** The buffer after these keys; a single character is typed. */
function pressing(buffer: TextBuffer, ...keys: string[]): TextBuffer {
  return keys.reduce((current, name) => {
    const key = { name, text: [...name].length === 1 ? name : "" };
    return edited(current, key, true) ?? current;
  }, buffer);
}

/** The text with `|` at the caret. */
function shown({ value, caret }: TextBuffer): string {
  return `${value.slice(0, caret)}|${value.slice(caret)}`;
}

/** The lines as text, with brackets around the character under the caret. */
function lines(buffer: TextBuffer, width: number, height = 10): string[] {
  return fieldLines(buffer, width, height).map(({ before, at, after: rest }) =>
    at === undefined ? before : `${before}[${at}]${rest}`,
  );
}

describe("the text of a field", () => {
  it("keeps the column on the way through a shorter line", () => {
    const text = textOf("a long line\nab\nanother long line");
    expect(shown(pressing(text, "up"))).toBe("a long line\nab|\nanother long line");
    expect(shown(pressing(text, "up", "up", "down", "down"))).toBe(`${text.value}|`);
    expect(shown(pressing({ ...text, caret: 20 }, "up", "up"))).toBe("a lon|g line\nab\nanother long line");
  });

  it("forgets the column after any other key", () => {
    const text = textOf("a long line\nab\nanother");
    expect(shown(pressing(text, "up", "left", "up"))).toBe("a| long line\nab\nanother");
  });

  it("counts columns of the screen, not characters", () => {
    expect(shown(pressing(textOf("木曜日\nabcd"), "up"))).toBe("木曜|日\nabcd");
    expect(shown(pressing(textOf("👩‍👩‍👧x\nabc"), "up"))).toBe("👩‍👩‍👧x|\nabc");
  });

  it("moves over and deletes whole characters", () => {
    expect(shown(pressing(textOf("a👩‍👩‍👧é"), "backspace", "backspace"))).toBe("a|");
    expect(shown(pressing({ value: "👩‍👩‍👧b", caret: 0 }, "delete"))).toBe("|b");
  });

  it("wraps between words, and within a word that is longer than a line", () => {
    expect(lines(textOf("the quick brown fox"), 10)).toEqual(["the quick ", "brown fox[ ]"]);
    expect(lines(textOf("abcdefghijklm"), 5)).toEqual(["abcde", "fghij", "klm[ ]"]);
  });

  it("shows the lines around the caret", () => {
    expect(lines({ value: "1\n2\n3\n4\n5", caret: 0 }, 5, 2)).toEqual(["[1]", "2"]);
    expect(lines(textOf("1\n2\n3\n4\n5"), 5, 2)).toEqual(["4", "5[ ]"]);
  });

  it("shows every character but wrapping spaces, in lines that fit, with one caret", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\n", "木", "👩‍👩‍👧", "é"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (value, width) => {
        const all = fieldLines(textOf(value), width, 1_000);
        const rows = all.map(({ before, at = "", after: rest }) => before + at + rest);
        expect(all.filter(({ at }) => at !== undefined)).toHaveLength(1);
        for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width);
        expect(rows.join("").replaceAll(" ", "")).toBe(value.replaceAll(/[\n ]/g, ""));
      }),
    );
  });
});
