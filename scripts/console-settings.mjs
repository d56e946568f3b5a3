/** Settings of Vite that the build of the console and `npm run dev` share. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export const CONSOLE = {
  configFile: false,
  root: join(root, "daemon/console/page"),
  base: "/console/",
  logLevel: "warn",
  resolve: { alias: { "@wireroom/sdk": join(root, "sdk/src/api.ts") } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
};
