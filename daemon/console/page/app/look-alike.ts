/** Finds slugs that a human could confuse, such as `rnary` and `mary`. Slugs contain only `[a-z0-9-]`. */

/**
 * Replacements that map look-alike slugs to the same text. Single characters come first, because their
 * replacement can form a pair that a later rule replaces.
 */
const ALIKE: readonly (readonly [pattern: RegExp, same: string])[] = [
  [/-/g, ""],
  [/0/g, "o"],
  [/[1i]/g, "l"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
];

/** Returns the slug's shape: a text that is the same for all slugs that look alike. */
function shapeOf(slug: string): string {
  return ALIKE.reduce((shape, [pattern, same]) => shape.replace(pattern, same), slug);
}

/** The known slugs, keyed by shape. */
export type Shapes = ReadonlyMap<string, readonly string[]>;

export function shapesOf(slugs: Iterable<string>): Shapes {
  const shapes = new Map<string, string[]>();
  for (const slug of new Set(slugs)) {
    const shape = shapeOf(slug);
    const same = shapes.get(shape);
    if (same) same.push(slug);
    else shapes.set(shape, [slug]);
  }
  return shapes;
}

export function lookAlike(slug: string, known: Shapes): string | undefined {
  return known.get(shapeOf(slug))?.find((each) => each !== slug);
}
