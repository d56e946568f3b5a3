export const start = {
  title: "Overview",
  /** @param n undefined until it was read */
  waiting: (n: number | undefined) => {
    if (n === undefined) return "Show approvals";
    if (n === 0) return "Nothing waits for you";
    return n === 1 ? "One approval waits for you" : `${n} approvals wait for you`;
  },
  inbox: (slug: string) => `Inbox of @${slug}`,
  welcome: "Three steps, and an agent of yours can send and receive wires.",
  steps: {
    handle: "1. Create a handle and a key",
    wire: "2. Send a test wire",
    agent: "3. Connect an agent",
  },
  handleText: "A handle is the address of an agent, and its key is what the agent signs in with.",
  create: "Create the handle and a key",
  wireText: "The handle sends a wire to itself, so you see that it works.",
  testWire: "Hello from the console. This handle works.",
  send: "Send it",
  sent: "Sent.",
  agentText: "When the handle exists, this says what to paste into Claude Code, Codex and others.",
};
