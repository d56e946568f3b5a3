import { RE2JS } from "re2js";
import { PatternError, translate } from "./translate.js";

export { PatternError } from "./translate.js";

export interface LinearRegExp {
  /** Returns whether a text has a match, in time linear in the text's length. */
  test(text: string): boolean;
  /**
   * Number of instructions in the compiled pattern. A short pattern such as `(?:ab?c?d?){1000}` can compile
   * to thousands.
   */
  programSize: number;
}

/**
 * Compiles a pattern (ECMA-262, `u` flag) to run in linear time on every text. JavaScript's own engine can
 * take exponential time: for `^(a+)+$`, each further character doubles the time.
 * @throws PatternError if the pattern is invalid or not supported
 */
export function linearRegExp(pattern: string): LinearRegExp {
  const translated = translate(pattern);
  try {
    const expression = RE2JS.compile(translated);
    return { test: (text) => expression.test(text), programSize: expression.programSize() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PatternError(
      `it is too large or too deeply repeated to run in linear time (${reason.slice(0, 100)})`,
    );
  }
}
