import { command } from "../command.js";

export const add = command({
  name: "dashboard",
  description: "open the full-screen dashboard of your account",
  help: `\
Shows handles, keys, approvals, egress policies, spaces, limits and the audit log. It needs a terminal.
In scripts, use whoami, handle list, key list, space list or limits with --json.`,
  examples: "wireroom dashboard",
  run: async (session) => (await import("../../views/open.js")).openView(session, "dashboard"),
});
