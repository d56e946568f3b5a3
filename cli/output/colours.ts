/** Colours where they are wanted. */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Paints text, or gives it back as it is. */
export type Paint = (style: Style, text: string) => string;

const painted: Paint = (style, text) => styleText(style, text);
/** Gives text back as it is. */
export const plain: Paint = (_style, text) => text;

/** What colours are decided by: https://no-color.org, then `FORCE_COLOR`, then whether it is a terminal that can. */
export interface ColourChoice {
  isTerminal: boolean;
  /** False for `--no-color`. */
  flag: boolean | undefined;
  env: NodeJS.ProcessEnv;
}

export function wantsColour({ isTerminal, flag, env }: ColourChoice): boolean {
  if (flag === false || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTerminal && env.TERM !== "dumb";
}

export function paintFor(choice: ColourChoice): Paint {
  return wantsColour(choice) ? painted : plain;
}
