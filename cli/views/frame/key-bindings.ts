/**
 * Key bindings. Each view and each dialog has one table of bindings, which maps keys to actions. The foot
 * line and the help are generated from the same table, so they always name the right keys.
 */
import type { Key } from "../terminal/keypress.js";

export interface KeyBinding {
  /** Key names (see `keypress.ts`). `text` matches every key that writes text. `any` matches every key. */
  readonly keys: readonly string[];
  /** Key name on the foot line and in the help. A binding without this name appears in neither. */
  readonly shown?: string;
  /** Short name of the action, such as `reply`. */
  readonly label?: string;
  /** Longer explanation for the help. */
  readonly help?: string;
  /** True for a binding that appears in the help but not on the foot line. */
  readonly isRare?: boolean;
  /** False for a binding that appears on the foot line but not in the help. */
  readonly isInHelp?: boolean;
  /** Returns whether the binding applies now. Without this function, the binding always applies. */
  when?(): boolean;
  /** Returns the message to show if the key is pressed while the binding does not apply. */
  otherwise?(): string | undefined;
  run(key: Key): void;
}

/** Runs the first binding that has this key and applies now, or else returns the message of `otherwise`. */
export function runBinding(bindings: readonly KeyBinding[], key: Key): string | undefined {
  const candidates = bindings.filter(({ keys }) => matches(keys, key));
  const binding = candidates.find(({ when }) => when?.() ?? true);
  if (!binding) return candidates.map(({ otherwise }) => otherwise?.()).find(Boolean);
  binding.run(key);
  return undefined;
}

function matches(keys: readonly string[], { name, text }: Key): boolean {
  return keys.includes(name) || keys.includes("any") || (text !== "" && keys.includes("text"));
}

/** Returns the bindings that apply now, except bindings whose keys an earlier binding already handles. */
export function activeBindings(bindings: readonly KeyBinding[]): KeyBinding[] {
  const taken = new Set<string>();
  return bindings.filter(({ keys, when }) => {
    if (!(when?.() ?? true)) return false;
    const isFree = keys.some((name) => !isTaken(name, taken));
    for (const name of keys) taken.add(name);
    return isFree;
  });
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  const isCharacter = [...name].length === 1;
  return taken.has(name) || taken.has("any") || (isCharacter && taken.has("text"));
}
