/** The console's views. All are in one bundle, because one bundle compresses better than a file per view. */
import type { Handle } from "@wireroom/sdk";
import type { ComponentType } from "preact";
import Account from "../pages/account/index.js";
import Approvals from "../pages/approvals/index.js";
import Audit from "../pages/audit.js";
import Connections from "../pages/handles/connections.js";
import Egress from "../pages/handles/egress.js";
import { HandleFrame } from "../pages/handles/frame.js";
import Hosts from "../pages/handles/hosts.js";
import Keys from "../pages/handles/keys.js";
import NewHandle from "../pages/handles/new.js";
import Profile from "../pages/handles/profile.js";
import Rule from "../pages/handles/rule.js";
import { OperatorFrame } from "../pages/operator/frame.js";
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
import { type InSpace, SpaceFrame } from "../pages/spaces/frame.js";
import Spaces from "../pages/spaces/index.js";
import Jobs from "../pages/spaces/jobs.js";
import Members from "../pages/spaces/members.js";
import NewSpace from "../pages/spaces/new.js";
import SpaceSettings from "../pages/spaces/settings.js";
import Start from "../pages/start.js";
import { AsHandle, HandlePage } from "./as-handle.js";
import type { Params } from "./router.js";
import type { HANDLE_TABS, SPACE_TABS } from "./sections.js";

type View = ComponentType<{ params: Params }>;
type ViewAs = ComponentType<{ as: string; params: Params }>;

/** A view of the acting handle. */
function acting(title: string, Content: ViewAs): View {
  return ({ params }) => (
    <HandlePage title={title}>{(as) => <Content key={params.id} as={as} params={params} />}</HandlePage>
  );
}

/** A view for operators. */
function operating(titleOf: (params: Params) => string, Content: ViewAs): View {
  return ({ params }) => (
    <OperatorFrame title={titleOf(params)}>
      {(as) => <Content key={params.id} as={as} params={params} />}
    </OperatorFrame>
  );
}

/** A tab of one of the human's handles. */
function ofHandle(tab: keyof typeof HANDLE_TABS, Content: ComponentType<{ handle: Handle }>): View {
  return ({ params }) => (
    <HandleFrame slug={params.slug!} tab={tab}>
      {(handle) => <Content handle={handle} />}
    </HandleFrame>
  );
}

/** A tab of a space. */
function ofSpace(tab: keyof typeof SPACE_TABS, Content: ComponentType<InSpace>): View {
  return ({ params }) => (
    <SpaceFrame slug={params.slug!} tab={tab}>
      {(inSpace) => <Content {...inSpace} />}
    </SpaceFrame>
  );
}

/** Path patterns below `/console`. The first matching pattern wins. */
export const ROUTES: readonly (readonly [pattern: string, View: View])[] = [
  ["/", () => <Start title="Overview" />],
  ["/account", Account],
  ["/approvals", Approvals],
  ["/approvals/:id", Approvals],
  ["/audit", Audit],
  ["/operator", operating(() => "For operators", Operator)],
  ["/operator/handles/:slug", operating(({ slug }) => `@${slug}`, OperatedHandle)],
  ["/operator/wires/:id", operating(() => "Wire", OperatedWire)],
  ["/new-handle", NewHandle],
  ["/handles", () => <Start title="Handles" />],
  ["/handles/:slug", ofHandle("profile", Profile)],
  ["/handles/:slug/rule", ofHandle("rule", Rule)],
  ["/handles/:slug/keys", ofHandle("keys", Keys)],
  ["/handles/:slug/connections", ofHandle("connections", Connections)],
  ["/handles/:slug/egress", ofHandle("egress", Egress)],
  ["/handles/:slug/hosts", ofHandle("hosts", Hosts)],
  ["/inbox", acting("Inbox", Inbox)],
  ["/new-space", acting("Create a space", NewSpace)],
  ["/new-wire", acting("New wire", NewWire)],
  ["/people", acting("People", People)],
  ["/search", acting("Search", Search)],
  ["/sent", acting("Sent", Sent)],
  ["/spaces", acting("Spaces", Spaces)],
  [
    "/threads/:id",
    ({ params }) => <AsHandle>{(as) => <Thread key={params.id} as={as} params={params} />}</AsHandle>,
  ],
  ["/wires/:id", acting("Wire", OneWire)],
  ["/spaces/:slug", ofSpace("feed", Feed)],
  ["/spaces/:slug/jobs", ofSpace("jobs", Jobs)],
  ["/spaces/:slug/members", ofSpace("members", Members)],
  ["/spaces/:slug/settings", ofSpace("settings", SpaceSettings)],
];
