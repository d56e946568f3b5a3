/** Headings of `wireroom --help`. */
export const HEADINGS = {
  daemon: "Daemon on this machine:",
  human: "Account, handles and keys:",
  agent: "Messaging as a handle:",
  more: "More:",
} as const;
