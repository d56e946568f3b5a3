/** Implements `wireroom sign-in …`. */
import type { SignIn, WireroomDashboard } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { readPages } from "../../input/pages.js";
import type { Session } from "../../session.js";
import { forgetSignIn } from "../sign-in/sign-out.js";

const CLIENTS: Readonly<Record<SignIn["client"], string>> = {
  "wireroom-cli": "command line",
  "wireroom-console": "console",
};

export async function listSignIns(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const body = await readPages({ all: true, limit: 100 }, "sign_ins", (page) => client.signIns.list(page));
  output.result(body, () =>
    output.table<SignIn>(
      [
        { title: "where", cell: (signIn) => CLIENTS[signIn.client] },
        { title: "since", cell: ({ created_at }) => output.time(created_at) },
        { title: "last used", cell: ({ last_used_at }) => output.time(last_used_at) },
        { title: "current", cell: ({ current }) => (current ? "this one" : "-") },
        { title: "id", cell: ({ id }) => id, flexible: true },
      ],
      body.sign_ins,
      "no sign-ins: those of the command line are at your identity provider",
    ),
  );
}

/** Ends the sign-in with an id, or all but the current one. */
export async function endSignIns(
  session: Session,
  { id, others = false }: { id?: string | undefined; others?: boolean | undefined },
): Promise<void> {
  if ((id !== undefined) === others)
    throw new Failure("USAGE", "pass either the id of a sign-in or --others", [
      "List your sign-ins: wireroom sign-in list",
    ]);
  await (id === undefined ? endOthers(session) : endOne(session, id));
}

async function endOne(session: Session, id: string): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const signIn = await findSignIn(client, id);
  if (!signIn)
    throw new Failure("NOT_FOUND", "you have no sign-in with this id", [
      "List your sign-ins: wireroom sign-in list",
    ]);
  const where = CLIENTS[signIn.client];
  await prompt.confirm(
    signIn.current
      ? "End the sign-in of this profile? You have to sign in again: wireroom login."
      : `End the sign-in at the ${where} of ${output.time(signIn.created_at)}? It ends at once.`,
  );
  const body = await client.signIns.end({ id });
  if (signIn.current) await forgetSignIn(session);
  output.result(body, () => output.success(`ended the sign-in at the ${where}`, id));
}

async function endOthers(session: Session): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  await prompt.confirm(
    "End all other sign-ins? They end at once, at the command line and in all browsers. API keys and connections stay.",
  );
  const body = await client.signIns.endOthers();
  output.result(body, () =>
    output.success(`ended ${body.ended} other sign-in${body.ended === 1 ? "" : "s"}`, String(body.ended)),
  );
}

async function findSignIn(client: WireroomDashboard, id: string): Promise<SignIn | undefined> {
  for await (const signIn of client.signIns.list()) if (signIn.id === id) return signIn;
  return undefined;
}
