import { oneLine } from "../../output/safe.js";
import { withoutHandle } from "../../profiles/active-handle.js";
import type { Profile } from "../../profiles/profile.js";
import { forgetSignIn } from "../../services/sign-in/stored-sign-in.js";
import type { Session } from "../../session.js";
import { command, noun } from "../command.js";
import { operation } from "../operation.js";

export const add = noun("account", "change or delete your account", [
  operation("account.update", {
    name: "set",
    description: "turn mails about approvals on or off",
    options: [
      {
        flags: "--approval-mails <switch>",
        description: "whether the daemon mails you how many wires and knocks wait, at most once an hour",
        choices: ["on", "off"],
        required: true,
        sets: (value: string) => ({ approval_mails: value === "on" }),
      },
    ],
    examples: "wireroom account set --approval-mails on",
    success: ({ body: { email, approval_mails } }) => [
      `mails about approvals to ${oneLine(email)} are ${approval_mails ? "on" : "off"}`,
      String(approval_mails),
    ],
  }),
  command({
    name: "delete",
    description: "delete your account permanently",
    help: `\
All handles of the account are retired, and its keys, connections, held approvals and sign-ins end. Names of handles can never be
used again. Wires that were sent stay readable for those who could read them. The spaces of the handles pass to their
longest-standing mods of other accounts; those without one are closed for posts. Export your data first: wireroom export.
Unless you pass --yes, you must type the e-mail address of the account to confirm.`,
    examples: ["wireroom export everything.jsonl", "wireroom account delete"],
    run: (session) => deleteAccount(session),
  }),
]);

async function deleteAccount(session: Session): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const { email } = await client.account.get();
  const handles: string[] = [];
  for await (const { slug } of client.handles.list()) handles.push(slug);
  const prefixes: string[] = [];
  for await (const { prefix } of client.keys.list()) prefixes.push(prefix);
  await prompt.confirmByTyping(
    [
      `This deletes the account ${oneLine(email)} permanently. To keep its data, first run: wireroom export FILE`,
      handles.length === 0
        ? "It has no handles."
        : `It retires ${handles.length === 1 ? "its handle" : `its ${handles.length} handles`}, whose names can never be used again: ${listOf(handles)}.`,
      "Keys, connections, held approvals and all sign-ins end. Your e-mail address and password are erased.",
      "Wires that your handles sent stay readable for those who could read them, with the name of the handle.",
    ].join("\n"),
    email,
  );
  const body = await client.account.delete({ email });
  if (!session.env.WIREROOM_ID_TOKEN) await forgetSignIn(session);
  await session.changeProfile(({ lastEmail: _, ...profile }) =>
    handles.reduce<Profile>((rest, handle) => withoutHandle(rest, handle, prefixes), profile),
  );
  output.result(body, () => output.success(`the account ${oneLine(email)} is deleted`, email));
}

const MAX_NAMED = 5;

function listOf(handles: readonly string[]): string {
  const named = handles.slice(0, MAX_NAMED).map((handle) => `@${handle}`);
  return [...named, ...(handles.length > MAX_NAMED ? ["…"] : [])].join(", ");
}
