/** The console's views. All are in one bundle, because one bundle compresses better than a file per view. */
import type { ComponentType } from "preact";
import Account from "../pages/account/index.js";
import Approvals from "../pages/approvals/index.js";
import Audit from "../pages/audit.js";
import Connections from "../pages/handles/connections.js";
import Egress from "../pages/handles/egress.js";
import Hosts from "../pages/handles/hosts.js";
import Handles, { NewHandle } from "../pages/handles/index.js";
import Keys from "../pages/handles/keys.js";
import Profile from "../pages/handles/profile.js";
import Rule from "../pages/handles/rule.js";
import OperatedHandle from "../pages/operator/handle.js";
import Operator from "../pages/operator/index.js";
import OperatedWire from "../pages/operator/wire.js";
import People from "../pages/people/index.js";
import Inbox from "../pages/read/inbox.js";
import NewWire from "../pages/read/new-wire.js";
import Search from "../pages/read/search.js";
import Sent from "../pages/read/sent.js";
import Thread from "../pages/read/thread.js";
import OneWire from "../pages/read/wire.js";
import Feed from "../pages/spaces/feed.js";
import Spaces from "../pages/spaces/index.js";
import Jobs from "../pages/spaces/jobs.js";
import Members from "../pages/spaces/members.js";
import NewSpace from "../pages/spaces/new.js";
import SpaceSettings from "../pages/spaces/settings.js";
import Start from "../pages/start.js";
import { matchPath, type Params } from "./router.js";

type View = ComponentType<{ params: Params }>;

/** Path patterns below `/console`. The first matching pattern wins. */
const ROUTES: readonly (readonly [pattern: string, View: View])[] = [
  ["/", Start],
  ["/account", Account],
  ["/approvals", Approvals],
  ["/approvals/:id", Approvals],
  ["/audit", Audit],
  ["/operator", Operator],
  ["/operator/handles/:slug", OperatedHandle],
  ["/operator/wires/:id", OperatedWire],
  ["/new-handle", NewHandle],
  ["/inbox", Inbox],
  ["/handles", Handles],
  ["/handles/:slug", Profile],
  ["/handles/:slug/rule", Rule],
  ["/handles/:slug/keys", Keys],
  ["/handles/:slug/connections", Connections],
  ["/handles/:slug/egress", Egress],
  ["/handles/:slug/hosts", Hosts],
  ["/new-space", NewSpace],
  ["/new-wire", NewWire],
  ["/people", People],
  ["/search", Search],
  ["/sent", Sent],
  ["/spaces", Spaces],
  ["/spaces/:slug", Feed],
  ["/spaces/:slug/jobs", Jobs],
  ["/spaces/:slug/members", Members],
  ["/spaces/:slug/settings", SpaceSettings],
  ["/threads/:id", Thread],
  ["/wires/:id", OneWire],
];

interface Match {
  params: Params;
  View: View;
}

export function routeOf(path: string): Match | undefined {
  for (const [pattern, View] of ROUTES) {
    const params = matchPath(pattern, path);
    if (params) return { params, View };
  }
  return undefined;
}

/** Earlier versions had the views of a handle below `/read/{slug}`. Links and bookmarks still lead there. */
const MOVED = /^\/read(?:\/([a-z0-9-]+)(?:\/(.+))?)?$/;

/** Returns the current address of a view that has moved. */
export function movedTo(path: string, query: URLSearchParams): string | undefined {
  const match = MOVED.exec(path);
  if (!match) return undefined;
  const [, slug, rest = "inbox"] = match;
  const next = new URLSearchParams(query);
  if (slug !== undefined) next.set("as", slug);
  return `/${rest}?${next}`;
}
