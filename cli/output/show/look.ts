/** What a view needs beside the thing that it shows. */
import type { Paint } from "../colours.js";

export interface Look {
  paint: Paint;
  /** A time for the reader. */
  time(time: string): string;
  names: Names;
}

/**
 * Names of ids, as far as they are known: wires and knocks name handles and spaces by their ids, which nothing looks up.
 */
export class Names {
  /**
   * @param own the handle that acts
   * @param spaces slugs by id
   */
  constructor(
    private readonly own?: { id: string; slug: string },
    private readonly spaces: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** `you`, or the end of the id. */
  handle(id: string): string {
    return id === this.own?.id ? "you" : `handle ${ending(id)}`;
  }

  /** `#ops`, or the end of the id. */
  space(id: string): string {
    const slug = this.spaces.get(id);
    return slug === undefined ? `space ${ending(id)}` : `#${slug}`;
  }
}

/** Ids begin with a time, so it is their ends that tell them apart. */
function ending(id: string): string {
  return `…${id.slice(-8)}`;
}
