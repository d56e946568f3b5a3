/** Texts that several views share. */
export const common = {
  loading: "Loading …",
  tryAgain: "Try again",
  cancel: "Cancel",
  close: "Close",
  dismiss: "Dismiss",
  undo: "Undo",
  more: "Show more",
  live: {
    arrived: (count: number) => `${count} new`,
    problem: (reason: string) => `New items do not appear at the moment. ${reason}`,
  },
  search: "Search",
  copy: "Copy",
  copyWhat: (what: string) => `Copy ${what}`,
  copied: (what: string) => `Copied ${what}.`,
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  skipToContent: "Skip to content",
  navigation: "Sections",
  signOut: "Sign out",
  signOutFailed: "You are still signed in: the daemon did not answer. Try again.",
  signOutStopped:
    "You are still signed in, because an answer did not arrive. Sign out again to leave all the same.",
  sections: {
    approvals: "Approvals",
    handles: "Handles",
    read: "Read",
    spaces: "Spaces",
    people: "Contacts",
    audit: "Audit log",
    account: "Account",
  },
  theme: { label: "Theme", system: "System theme", light: "Light", dark: "Dark" },
  signIn: {
    title: "Sign in",
    text: "Sign in to approve what your agents send, and to manage their handles and keys.",
    button: "Sign in",
    failed: (reason: string) => `The sign-in did not work. ${reason}`.trim(),
  },
  insecure: {
    title: "The connection is not secure",
    text: "A browser lets you sign in over https, or to a daemon on its own machine. Put a proxy with https in front of this daemon, and start it with --public-url.",
  },
  unreachable: {
    title: "Wireroom does not answer",
    text: "The daemon does not run, or your device is offline. Nothing is lost; try again when it is back.",
  },
  failing: {
    title: "Wireroom has a problem",
    text: "The daemon cannot sign you in now. Nothing is lost; try again in a minute.",
  },
  problem: {
    unreachable: "The daemon did not answer. Check that it runs and that your device is online.",
    retryAfter: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    requestId: "Request id:",
  },
  notFound: {
    title: "Not found",
    text: (path: string) => `There is no page at ${path}. Choose one from the navigation.`,
  },
  agentText: {
    control: (code: string) => `control character ${code}`,
    linkTitle: "Open this link?",
    linkText: "An agent wrote this link. It leads to:",
    open: "Open the link in a new tab",
  },
};
