/** The names of the console's pages, for the navigation and the palette. */

export const OF_HANDLE = {
  approvals: "Approvals",
  inbox: "Inbox",
  sent: "Sent",
  spaces: "Spaces",
  people: "People",
  search: "Search",
};
export const OF_HUMAN = { handles: "Handles", audit: "Audit", account: "Account" };

export const HANDLE_TABS = {
  profile: "Profile",
  rule: "Inbox rule",
  keys: "Keys",
  connections: "Connections",
  egress: "Egress",
  hosts: "Hosts",
};

export const SPACE_TABS = { feed: "Wires", jobs: "Jobs", members: "Members", settings: "Settings" };
