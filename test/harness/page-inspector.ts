/** Inspects pages on a narrow screen, in dark colours, and as screen readers see them. */
import axe, { type Result, type RunOptions } from "axe-core";
import type { Browser, Page } from "playwright-core";

/** Rules of WCAG 2.2, level A and AA, and of good practice. https://dequeuniversity.com/rules/axe/4.11 */
export const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export interface PageInspector {
  /** Returns what is wrong with a page at 320 pixels, in light and in dark colours. */
  problemsOf(page: Page): Promise<string[]>;
}

/**
 * Opens the tab of an inspector. The tab shows copies of the inspected pages and runs scripts, so that the
 * pages themselves need not run any.
 */
export async function openInspector(browser: Browser): Promise<PageInspector> {
  const viewport = { width: 320, height: 640 };
  const tab = await browser.newPage({ viewport });
  // `setContent` keeps the window, and so its scripts.
  await tab.evaluate(axe.source);
  const run = async (rules: RunOptions): Promise<string[]> => {
    const violations = await tab.evaluate<Result[]>(axeRun(rules));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  };
  return {
    async problemsOf(page) {
      await tab.emulateMedia({ colorScheme: "light" });
      await tab.setContent(withoutScripts(await page.content()));
      const width = await tab.evaluate<number>("document.documentElement.scrollWidth");
      const light = await run({ runOnly: AXE_TAGS });
      await tab.emulateMedia({ colorScheme: "dark" });
      const dark = await run({ runOnly: { type: "rule", values: ["color-contrast"] } });
      const wide = width > viewport.width ? [`scrolls sideways: ${width} pixels`] : [];
      return [...wide, ...light, ...dark.map((problem) => `dark: ${problem}`)];
    },
  };
}

/** Returns a script that runs axe on the document and returns the violations. It collects no other results. */
export function axeRun(rules: RunOptions): string {
  const options: RunOptions = { ...rules, resultTypes: ["violations"] };
  return `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
}

/** Returns a page as a browser without scripts shows it. */
function withoutScripts(html: string): string {
  return html.replace(/<script>.*?<\/script>|<\/?noscript>/gs, "");
}
