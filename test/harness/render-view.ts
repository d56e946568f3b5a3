/** Renders components of the views without a terminal, as `ink-testing-library` does. */
import { render } from "ink-testing-library";
import { createElement, type ReactNode } from "react";
import { Shell } from "../../cli/views/frame/shell.js";
import type { ViewProps } from "../../cli/views/frame/view-frame.js";

export interface RenderedView {
  shell: Shell;
  /** The text of the last frame. */
  screen(): string;
  /** Presses keys by their names one after another; each is rendered before the next. */
  press(...names: string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** Resolves once all changes are on the screen. */
  rendered(): Promise<void>;
  unmount(): void;
}

/** Renders a view in a window of this size. `ended` is called when the view ends. */
export async function renderView(
  view: (props: ViewProps) => ReactNode,
  size = { columns: 100, rows: 30 },
  ended: (error?: Error) => void = () => {},
): Promise<RenderedView> {
  const shell = new Shell(ended, () => size);
  const { frames, lastFrame, unmount } = render(createElement(view, { shell, size }));
  /**
   * Resolves once no frame has come for a moment. React renders in immediates, several of which may be due
   * after a pause of this process.
   */
  const rendered = async () => {
    for (let count = -1; count !== frames.length; ) {
      count = frames.length;
      await new Promise<void>((resolve) => setTimeout(resolve, 5));
      for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  await rendered();
  return {
    shell,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences
    screen: () => (lastFrame() ?? "").replaceAll(/\x1b\[[\d;]*m/g, ""),
    async press(...names) {
      for (const name of names) {
        shell.press({ name, text: name.length === 1 ? name : "" });
        await rendered();
      }
    },
    async paste(text) {
      shell.press({ name: "paste", text });
      await rendered();
    },
    rendered,
    unmount() {
      shell.stop();
      unmount();
    },
  };
}
