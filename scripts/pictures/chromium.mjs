import { chromium } from "playwright-core";

/** Starts the Chromium of the package, with the libraries that a small system lacks. */
export async function launch() {
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs20.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  return chromium.launch({ executablePath: await packaged.executablePath(), args: ["--disable-gpu"] });
}
