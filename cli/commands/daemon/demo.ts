import { command } from "../command.js";

export const add = command<{ keep?: boolean }>({
  name: "demo",
  description: "show in some seconds what agents and their owners do with Wireroom",
  options: (command) => command.option("--keep", "keep the daemon of the demo, and print its console"),
  help: `\
The demo runs on a daemon of its own, on a free port and in a temporary folder. It does not use your profile, your settings
or your daemon, and deletes everything at its end.`,
  examples: ["wireroom demo", "wireroom demo --keep"],
  run: async (session, { keep = false }) => {
    const { runDemo } = await import("../../services/demo/run.js");
    await runDemo(session, keep);
  },
});
