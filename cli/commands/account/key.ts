/** Declares `wireroom key`: issues, lists and revokes the API keys of handles. */
import type { KeysIssueOutput, WireroomDashboard } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { parseFutureTime } from "../../input/values.js";
import { HAS_RUN } from "../../output/json/fields.js";
import { oneLine } from "../../output/safe.js";
import { keyColumns } from "../../output/show/key.js";
import { exportUrl, isSameDaemon, profileForDaemon } from "../../profiles/endpoint.js";
import { removeSavedKey, saveKey } from "../../profiles/saved-keys.js";
import { findById } from "../../services/find-by-id.js";
import { findOwnHandle } from "../../services/own-handle.js";
import type { Session } from "../../session.js";
import { argument } from "../arguments.js";
import { command, noun } from "../command.js";
import { operation } from "../operation.js";

async function handleNames(client: WireroomDashboard): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, slug } of client.handles.list()) names.set(id, `@${slug}`);
  return names;
}

interface IssueFlags {
  save?: true;
  name?: string;
  expires?: string;
}

const addIssue = command<IssueFlags>({
  name: "issue",
  description: "issue an API key; it is shown only once",
  arguments: [{ usage: "<handle>", description: "one of your handles" }],
  options: (command) =>
    command
      .option("--save", "save the key in the profile instead of printing it")
      .option("--name <name>", "a name by which you recognise the key, 1 to 50 characters")
      .option("--expires <when>", "when the key expires: 12h, 30d, 1y, or a date", parseFutureTime),
  help: `\
In a pipe, prints only the key. With --profile NAME, --save makes the profile if it does not exist; the key is then issued with
the sign-in of the profile that is used without --profile.`,
  examples: [
    "wireroom key issue @alice --save",
    "wireroom key issue @bob --save --profile bob",
    'wireroom key issue @alice --name "nightly build" --expires 30d',
    "WIREROOM_API_KEY=$(wireroom key issue @alice) my-agent",
  ],
  run: (session, flags, handle) => issue(session, flags, handle!),
});

async function issue(session: Session, { save, name, expires }: IssueFlags, handle: string): Promise<void> {
  const { output } = session;
  const issuer = await signedInSession(session);
  const url = await issuer.url();
  // Check the fields of `--json` first, so that no key is issued if a field does not exist.
  output.checkFields(save ? ["id", "prefix"] : ["id", "key", "prefix"]);
  if (save) profileForDaemon({ ...session.endpointOptions, url }, await session.profile());
  const client = await issuer.dashboard();
  const { id, slug } = await findOwnHandle(client, handle);
  const issued = await client.keys.issue({ handle_id: id, name, expires_at: expires });
  // Revoke a key that can be neither saved nor shown, because nobody can use it. For example, the expression
  // of `--jq` may fail.
  try {
    if (!save) return show(session, slug, issued, url);
    await saveKey(session, slug, issued.key, url);
  } catch (error) {
    await client.keys.revoke({ id: issued.id });
    if (save) throw error;
    const reason = (error as Error).message.replace(` ${HAS_RUN}`, "");
    throw new Failure("USAGE", `the key was revoked, because it cannot be shown: ${reason}`, [
      "Correct the expression of --jq, and issue another key.",
    ]);
  }
  await printSavedKey(session, slug, issued, url);
}

/**
 * If the profile in `--profile` has no sign-in, uses the default profile's sign-in, unless that profile
 * belongs to another daemon.
 */
async function signedInSession(session: Session): Promise<Session> {
  const { env, flags } = session;
  const own = await session.profile();
  if (env.WIREROOM_ID_TOKEN || own.signIn || flags.profile === undefined) return session;
  const usual = session.withProfile(undefined);
  const { signIn, url } = await usual.profile();
  if (!signIn) return session;
  return own.url === undefined || isSameDaemon(own, { url }) ? usual : session;
}

async function printSavedKey(
  session: Session,
  slug: string,
  { id, prefix }: KeysIssueOutput,
  url: string,
): Promise<void> {
  const { output, profileName, env } = session;
  const { handle } = await session.profile();
  const as = handle === slug ? "" : ` --as @${slug}`;
  output.result({ id, prefix }, () =>
    output.success(`saved the key ${prefix}… of @${slug} in the profile ${profileName}`, prefix),
  );
  if (env.WIREROOM_API_KEY) output.note("WIREROOM_API_KEY is set and overrides the profile.");
  output.nextSteps(
    `wireroom inbox${as}`,
    `export WIREROOM_API_KEY=$(wireroom key issue @${slug})   # issue another key for a program`,
    ...exportUrl(url),
  );
}

function show({ output, env }: Session, slug: string, issued: KeysIssueOutput, url: string): void {
  output.result(issued, () => {
    if (!output.isTerminal) {
      for (const line of env.WIREROOM_URL ? [] : exportUrl(url))
        output.note(`The program needs the address, too: ${line}`);
      return output.line(issued.key);
    }
    output.success(`issued a key of @${slug}; it is shown only once`, issued.key);
    output.line();
    output.line(`  export WIREROOM_API_KEY=${output.paint("bold", issued.key)}`);
    for (const line of exportUrl(url)) output.line(`  ${line}`);
  });
}

export const add = noun("key", "issue, list and revoke the API keys of your agents", [
  addIssue,
  operation("keys.list", {
    name: "list",
    description: "list the keys of your handles, newest first (never the secrets)",
    arguments: [
      {
        usage: "[handle]",
        description: "only the keys of this handle",
        fields(name: string, session) {
          parseOwnHandleArgument(session, name);
          return {};
        },
      },
    ],
    page: "keys",
    pageSize: 1_000,
    examples: ["wireroom key list", "wireroom key list @bob"],
    async find({ session, client }) {
      const { ownHandle } = session.hintNames;
      if (ownHandle === undefined) return handleNames(client);
      const { id, slug } = await findOwnHandle(client, ownHandle);
      return new Map([[id, `@${slug}`]]);
    },
    async after({ session, found, body }) {
      if (session.hintNames.ownHandle !== undefined)
        body.keys = body.keys.filter(({ handle_id }) => found.has(handle_id));
    },
    table: ({ output, found }) => [
      keyColumns(output, found),
      "no keys yet; issue one: wireroom key issue @HANDLE --save",
    ],
  }),
  operation("keys.revoke", {
    name: "revoke",
    description: "revoke an API key immediately",
    arguments: [argument("<id>", "id of the key, or its prefix from wireroom key list", "id")],
    examples: "wireroom key revoke wr_0aB1cD2eF",
    async find({ client, input }) {
      const key = await findById(client.keys.list(), input.id, ({ id, prefix }) => [id, prefix]);
      if (key) return { ...key, handle: (await handleNames(client)).get(key.handle_id) ?? key.handle_id };
      throw new Failure("NOT_FOUND", "you have no key with this id or prefix", [
        "List your keys: wireroom key list",
      ]);
    },
    prepare: ({ found }) => ({ id: found.id }),
    confirm: ({ found: { prefix, name, handle } }) =>
      `Revoke the key ${prefix}${name ? ` (${oneLine(name)})` : ""} of ${handle}? Programs that use it lose access at once.`,
    after: ({ session, found }) => removeSavedKey(session, found.prefix),
    success: ({ found: { id, prefix, handle } }) => [`revoked the key ${prefix} of ${handle}`, id],
  }),
]);
