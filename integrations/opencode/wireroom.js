/**
 * A plugin for OpenCode, which starts a turn when a wire comes and the session is idle.
 * `wireroom hook install opencode --wake` writes it with the command of your profile.
 */
import { spawn } from "node:child_process";

const COMMAND = ["wireroom", "hook", "--wake"];
const VARIABLES = {};

export const Wireroom = async ({ client }) => {
  /** The process that waits for a wire. Only the session that was used last has one. */
  let waiter;
  /** The session whose present turn this plugin has started. */
  let woken;

  async function wake(id, text) {
    const { data: messages } = await client.session.messages({ path: { id } });
    const { agent, model } = messages.findLast(({ info }) => info.role === "user").info;
    woken = id;
    // A synthetic part is not input of the human.
    const parts = [{ type: "text", text, synthetic: true }];
    await client.session.promptAsync({ path: { id }, body: { agent, model, parts } });
  }

  return {
    async event({ event }) {
      if (event.type !== "session.idle") return;
      const id = event.properties.sessionID;
      const { data: session } = await client.session.get({ path: { id } });
      // The session of a subagent has a parent, and ends with its task.
      if (!session || session.parentID) return;
      waiter?.kill();
      const [program, ...args] = COMMAND;
      const env = { ...process.env, ...VARIABLES };
      waiter = spawn(program, args, { env, stdio: ["pipe", "ignore", "pipe"] });
      waiter.stdin.on("error", () => {});
      const input = { hook_event_name: "Stop", session_id: id, stop_hook_active: woken === id };
      waiter.stdin.end(JSON.stringify(input));
      woken = undefined;
      let text = "";
      waiter.stderr.on("data", (chunk) => {
        text += chunk;
      });
      waiter.on("error", () => {});
      // The exit code is 2 if a wire has come.
      waiter.on("close", (code) => code === 2 && wake(id, text.trim()).catch(() => {}));
    },
  };
};
