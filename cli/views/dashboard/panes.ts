/** All dashboard panes, in menu order. To add a pane, create a file in `panes/` and add a line here. */
import type { AnyPane } from "./pane.js";
import { accountPane } from "./panes/account.js";
import { approvalsPane } from "./panes/approvals.js";
import { auditPane } from "./panes/audit.js";
import { connectionsPane } from "./panes/connections.js";
import { egressPane } from "./panes/egress.js";
import { handlesPane } from "./panes/handles.js";
import { keysPane } from "./panes/keys.js";
import { limitsPane } from "./panes/limits.js";
import { spacesPane } from "./panes/spaces.js";

export const PANES: readonly AnyPane[] = [
  accountPane,
  handlesPane,
  keysPane,
  egressPane,
  approvalsPane,
  spacesPane,
  limitsPane,
  auditPane,
  connectionsPane,
];
