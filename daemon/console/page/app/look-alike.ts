/** Handles that a human could take for another one. Slugs have only the characters `[a-z0-9-]`. */

/** In this order: what single characters are replaced by can be a part of a pair. */
const ALIKE: readonly (readonly [pattern: RegExp, same: string])[] = [
  [/-/g, ""],
  [/0/g, "o"],
  [/[1i]/g, "l"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
];

/** Returns a text that is the same for all slugs that look alike. */
function shapeOf(slug: string): string {
  return ALIKE.reduce((shape, [pattern, same]) => shape.replace(pattern, same), slug);
}

/** Handles that the human knows, by the shape of their slugs. */
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

/** Returns a known handle that the human could take `slug` for. */
export function lookAlike(slug: string, known: Shapes): string | undefined {
  return known.get(shapeOf(slug))?.find((each) => each !== slug);
}
