/**
 * Key bindings. Each view and each dialog has one table of bindings, which maps keys to actions. The foot
 * line and the help are generated from the same table, so they always name the right keys.
 */
import { type Line, type Span, span, THEME, widthOf } from "../styled-text/spans.js";
import type { Key } from "../terminal/keyboard.js";

export interface KeyBinding {
  /** Key names (see `keyboard.ts`). `text` matches every key that writes text. `any` matches every key. */
  readonly keys: readonly string[];
  /** Short name of the action, such as `reply`. Without it, foot line and help do not name the key. */
  readonly label?: string;
  /** Key name on the foot line and in the help. Default: the first of `keys`. */
  readonly shown?: string;
  readonly help?: string;
  /** `help` if only the help shows the binding. */
  readonly only?: "help";
  /**
   * The message for a key press while the binding does not apply, or an empty text for no message. Undefined
   * if the binding applies.
   */
  readonly refusal?: string | undefined;
  run(key: Key): void;
}

/** Returns the `refusal` of a binding that applies only if `condition` is true. */
export function unless(condition: unknown, message = ""): string | undefined {
  return condition ? undefined : message;
}

export function runBinding(bindings: readonly KeyBinding[], key: Key): string | undefined {
  const candidates = bindings.filter(({ keys }) => matches(keys, key));
  const binding = candidates.find(applies);
  if (!binding) return candidates.map(({ refusal }) => refusal).find(Boolean);
  binding.run(key);
  return undefined;
}

function matches(keys: readonly string[], { name, text }: Key): boolean {
  return keys.includes(name) || keys.includes("any") || (text !== "" && keys.includes("text"));
}

function applies({ refusal }: KeyBinding): boolean {
  return refusal === undefined;
}

/** Returns the bindings that apply now, except bindings whose keys an earlier binding already handles. */
export function activeBindings(bindings: readonly KeyBinding[]): KeyBinding[] {
  const taken = new Set<string>();
  return bindings.filter(applies).filter(({ keys }) => {
    const isFree = keys.some((name) => !isTaken(name, taken));
    for (const name of keys) taken.add(name);
    return isFree;
  });
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  const isCharacter = [...name].length === 1;
  return taken.has(name) || taken.has("any") || (isCharacter && taken.has("text"));
}

const GAP = span("   ");
const SHOWN: Readonly<Record<string, string>> = {
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  "ctrl-c": "Ctrl-C",
  any: "any key",
};

export function shownKey({ keys, shown }: KeyBinding): string {
  return shown ?? SHOWN[keys[0]!] ?? keys[0]!;
}

export function keyLines(bindings: readonly KeyBinding[], width: number): Line[] {
  const lines: Span[][] = [];
  for (const item of bindings.flatMap(itemOf)) {
    const line = lines.at(-1);
    if (line && widthOf([...line, GAP, ...item]) <= width) line.push(GAP, ...item);
    else lines.push([...item]);
  }
  return lines;
}

/** Returns a line with as many bindings as fit. It always includes the bindings in `last`. */
export function keyLine(bindings: readonly KeyBinding[], last: readonly KeyBinding[], width: number): Line {
  const end = last.flatMap(itemOf).flatMap((item) => [GAP, ...item]);
  const room = width - widthOf(end);
  const [line = []] = keyLines(
    bindings.filter(({ only }) => only !== "help"),
    room,
  );
  return line.length > 0 && widthOf(line) <= room ? [...line, ...end] : end.slice(1);
}

function itemOf(binding: KeyBinding): [Line] | [] {
  const { label } = binding;
  return label === undefined ? [] : [[span(shownKey(binding), THEME.key), span(` ${label}`, THEME.faint)]];
}
