import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

/** Always adds colour codes. `validateStream: false` stops Node from deciding whether to add them. */
const painted: Paint = (style, text) => styleText(style, text, { validateStream: false });
export const plain: Paint = (_style, text) => text;

/**
 * Settings that turn colours on or off. The first one present decides: `--no-color`, `NO_COLOR`
 * (https://no-color.org), `FORCE_COLOR`, then whether the output is a terminal.
 */
export interface ColourChoice {
  isTerminal: boolean;
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
