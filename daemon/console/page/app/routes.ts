/** The views of the console. Each is loaded when it is first shown. */
import type { ComponentType } from "preact";
import { matchPath, type Params } from "./router.js";

export type View = ComponentType<{ params: Params }>;
export type Load = () => Promise<{ default: View }>;

// Views of several paths keep their state when the path changes.
const approvals: Load = () => import("../pages/approvals/index.js");

/** The views by the pattern of their path below `/console`, the first match first. */
const ROUTES: readonly (readonly [pattern: string, load: Load])[] = [
  ["/", () => import("../pages/start.js")],
  ["/approvals", approvals],
  ["/approvals/:id", approvals],
  ["/new-handle", () => import("../pages/handles/new.js")],
  ["/handles", () => import("../pages/handles/index.js")],
  ["/handles/:slug", () => import("../pages/handles/profile.js")],
  ["/handles/:slug/rule", () => import("../pages/handles/rule.js")],
  ["/handles/:slug/keys", () => import("../pages/handles/keys.js")],
  ["/handles/:slug/connections", () => import("../pages/handles/connections.js")],
  ["/handles/:slug/egress", () => import("../pages/handles/egress.js")],
  ["/handles/:slug/hosts", () => import("../pages/handles/hosts.js")],
  ["/new-space", () => import("../pages/spaces/new.js")],
  ["/people", () => import("../pages/people/index.js")],
  ["/read", () => import("../pages/read/index.js")],
  ["/read/:slug/search", () => import("../pages/read/search.js")],
  ["/read/:slug/sent", () => import("../pages/read/sent.js")],
  ["/read/:slug/threads/:id", () => import("../pages/read/thread.js")],
  ["/read/:slug/wires/:id", () => import("../pages/read/wire.js")],
  ["/spaces", () => import("../pages/spaces/index.js")],
  ["/spaces/:slug", () => import("../pages/spaces/feed.js")],
  ["/spaces/:slug/members", () => import("../pages/spaces/members.js")],
  ["/spaces/:slug/settings", () => import("../pages/spaces/settings.js")],
];

interface Match {
  params: Params;
  load: Load;
}

/** Returns the view of a path, or undefined if there is none. */
export function routeOf(path: string): Match | undefined {
  for (const [pattern, load] of ROUTES) {
    const params = matchPath(pattern, path);
    if (params) return { params, load };
  }
  return undefined;
}
