/** Declares `wireroom sign-in list|end`. */
import type { SignIn } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import type { Output } from "../../output/output.js";
import type { Column } from "../../output/table.js";
import { counted } from "../../output/units.js";
import { assertWhole, findById } from "../../services/find-by-id.js";
import type { Session } from "../../session.js";
import { command, noun } from "../command.js";
import { operation } from "../operation.js";

const CLIENTS: Readonly<Record<SignIn["client"], string>> = {
  "wireroom-cli": "command line",
  "wireroom-console": "console",
};

const columns = ({ time }: Output): readonly Column<SignIn>[] => [
  { title: "where", cell: (signIn) => CLIENTS[signIn.client] },
  { title: "since", cell: ({ created_at }) => time(created_at) },
  { title: "last used", cell: ({ last_used_at }) => time(last_used_at) },
  { title: "current", cell: ({ current }) => (current ? "this one" : "-") },
  { title: "id", cell: ({ id }) => id, flexible: true },
];

const addEnd = command<{ others?: true }, [string | undefined]>({
  name: "end",
  description: "end a sign-in, or all but this one",
  arguments: [{ usage: "[id]", description: "id of the sign-in, from wireroom sign-in list" }],
  options: (command) =>
    command.option("--others", "end all sign-ins but this one, and all browser sessions at the sign-in page"),
  help: `\
A sign-in ends at once, with its ID tokens and the access tokens of handles. API keys and connections stay valid: revoke them
with wireroom key revoke and wireroom connection revoke.`,
  examples: ["wireroom sign-in end 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", "wireroom sign-in end --others"],
  run: async (session, { others }, id) => {
    if ((id === undefined) !== (others === true))
      throw new Failure("USAGE", "pass either the id of a sign-in or --others", [
        "List your sign-ins: wireroom sign-in list",
      ]);
    await (id === undefined ? endOthers(session) : endOne(session, id));
  },
});

export const add = noun("sign-in", "list the places where you are signed in, and sign out elsewhere", [
  operation("signIns.list", {
    name: "list",
    description: "list your sign-ins at the command line and the console, newest first",
    page: "sign_ins",
    pageSize: 100,
    help: "With an external identity provider, sign-ins of the command line are at the provider, and are not listed.",
    examples: "wireroom sign-in list",
    table: ({ output }) => [
      columns(output),
      "no sign-ins: those of the command line are at your identity provider",
    ],
  }),
  addEnd,
]);

async function endOne(session: Session, given: string): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const signIn = await findById(client.signIns.list(), given, ({ id }) => [id]);
  if (!signIn)
    throw new Failure("NOT_FOUND", "you have no sign-in with this id", [
      "List your sign-ins: wireroom sign-in list",
    ]);
  const { id, current, created_at } = signIn;
  const where = `the sign-in at the ${CLIENTS[signIn.client]}`;
  const what = current ? "the sign-in of this profile" : `${where} of ${output.time(created_at)}`;
  assertWhole(given, id, what, session.flags);
  await prompt.confirm(`End ${what}? ${current ? "You have to sign in again." : "It ends at once."}`);
  const { forgetSignIn, revokeProgramKeys } = await import("../../services/sign-in/stored-sign-in.js");
  if (current) await revokeProgramKeys(session);
  const body = await client.signIns.end({ id });
  if (current) await forgetSignIn(session);
  output.result(body, () => output.success(`ended ${where}`, id));
}

async function endOthers(session: Session): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  await prompt.confirm(
    "End all other sign-ins? They end at once, at the command line and in all browsers. API keys and connections stay.",
  );
  const body = await client.signIns.endOthers();
  output.result(body, () =>
    output.success(`ended ${counted(body.ended, "other sign-in")}`, String(body.ended)),
  );
}
