/** Keys as a terminal sends them: what it wrote goes in, named keys come out. */

/** One key, or one paste. */
export interface Key {
  /** `a`, `?`, `enter`, `up`, `ctrl-c`, `meta-enter`, `paste` …; a character's own name is the character. */
  name: string;
  /** What it would write into a text field; empty for keys that move or command. */
  text: string;
}

/** Asks the terminal to mark what is pasted, and to stop it. */
export const PASTE_MARKS = { on: "\x1b[?2004h", off: "\x1b[?2004l" } as const;
const PASTE_BEGINS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";

/** Final parts of the escape sequences of xterm, VT220 and rxvt. */
const SEQUENCES: Readonly<Record<string, string>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  "[H": "home",
  "[F": "end",
  OH: "home",
  OF: "end",
  "[1~": "home",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[3~": "delete",
  "[5~": "page-up",
  "[6~": "page-down",
  "[Z": "shift-tab",
  "[1;5C": "word-right",
  "[1;5D": "word-left",
  "[1;3C": "word-right",
  "[1;3D": "word-left",
};

const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl-j",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1b": "escape",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const SEQUENCE = /^\x1b(\[\[?[0-?]*[ -/]*[@-~]|O[@-~])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const UNFINISHED = /^\x1b(\[\[?[0-?]*[ -/]*|O)?$/;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cuts a stream of input into keys; what is incomplete waits for the rest. */
export class KeyReader {
  #rest = "";

  /** The keys that are complete with this piece of input. */
  push(chunk: string): Key[] {
    this.#rest += chunk;
    const keys: Key[] = [];
    for (;;) {
      const key = this.#next();
      if (!key) return keys;
      keys.push(...key);
    }
  }

  /** Whether a lone escape waits: the key itself, or the beginning of a sequence. `flush` decides for the key. */
  get isWaiting(): boolean {
    return this.#rest !== "" && !this.#rest.startsWith(PASTE_BEGINS);
  }

  /** What waits, as keys of its own: nothing came after it in time. */
  flush(): Key[] {
    const waiting = this.#rest;
    this.#rest = "";
    return [{ name: "escape", text: "" }, ...new KeyReader().push(waiting.slice(1))];
  }

  #next(): Key[] | undefined {
    const rest = this.#rest;
    if (rest === "") return undefined;
    if (rest.startsWith(PASTE_BEGINS)) return this.#paste();
    if (rest[0] !== "\x1b") return [this.#character()];
    const sequence = SEQUENCE.exec(rest);
    if (sequence) {
      this.#rest = rest.slice(sequence[0].length);
      const name = SEQUENCES[sequence[1]!];
      return name === undefined ? [] : [{ name, text: "" }];
    }
    if (UNFINISHED.test(rest)) return undefined;
    this.#rest = rest.slice(1);
    if (this.#rest[0] === "\x1b") return [{ name: "escape", text: "" }];
    return [{ name: `meta-${this.#character().name}`, text: "" }];
  }

  #paste(): Key[] | undefined {
    const end = this.#rest.indexOf(PASTE_ENDS);
    if (end < 0) return undefined;
    const text = this.#rest.slice(PASTE_BEGINS.length, end).replaceAll(/\r\n?/g, "\n");
    this.#rest = this.#rest.slice(end + PASTE_ENDS.length);
    return [{ name: "paste", text }];
  }

  #character(): Key {
    const character = this.#rest[0]! < " " ? this.#rest[0]! : firstGrapheme(this.#rest);
    this.#rest = this.#rest.slice(character.length);
    const control = CONTROLS[character];
    if (control !== undefined) return { name: control, text: "" };
    if (character < " ")
      return { name: `ctrl-${String.fromCharCode(character.charCodeAt(0) + 96)}`, text: "" };
    return { name: character, text: character };
  }
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemes.segment(text)) return segment;
  return "";
}
