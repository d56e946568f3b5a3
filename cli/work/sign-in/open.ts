/** The browser of this machine. */

/**
 * Opens an address. False where there is no browser to open: on a machine without a screen the one that would be started
 * is a text browser, in the terminal that this command has.
 */
export async function openInBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const hasScreen = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER);
  if (!/^https?:/.test(url) || (process.platform === "linux" && !hasScreen)) return false;
  try {
    const { default: open } = await import("open");
    const browser = await open(url);
    browser.on("error", () => {});
    return true;
  } catch {
    return false;
  }
}
