/** Headings of `wireroom --help`; a group's command sets its own with `helpGroup`. */
export const HEADINGS = {
  daemon: "The daemon on this machine:",
  human: "For the human who owns handles and keys:",
  agent: "For a handle:",
  more: "More:",
} as const;
