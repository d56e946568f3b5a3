/**
 * Declares `wireroom operator`. `grant`, `revoke` and `list` access the daemon's database, because the API
 * cannot grant the operator role. The other commands call the API.
 */
import type { Flags } from "../../../daemon/settings.js";
import type { OperatorGetHandleOutput, OperatorListHandlesOutput, Wireroom } from "../../../sdk/src/api.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import type { Column } from "../../output/table.js";
import { size } from "../../output/units.js";
import { readDatabaseSettings } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { argument, EXAMPLE_ID, handleArgument, wireArgument } from "../arguments.js";
import { type AddCommand, command, noun } from "../command.js";
import { operation } from "../operation.js";
import { addDatabaseOptions } from "./settings-options.js";

type DatabaseFlags = Pick<Flags, "dataDir" | "databaseUrl">;

const load = () => import("../../../daemon/maintenance.js");

const addList = command<DatabaseFlags>({
  name: "list",
  description: "list the operators (on the daemon's machine)",
  options: addDatabaseOptions,
  async run(session, flags) {
    const { output } = session;
    const { databaseUrl } = await readDatabaseSettings(session, flags);
    const operators = await (await load()).listOperators(databaseUrl);
    output.result({ operators }, () =>
      output.table(
        [
          { title: "handle", cell: ({ handle }) => `@${handle}` },
          { title: "since", cell: ({ since }) => output.time(since) },
        ],
        operators,
        "no operators",
      ),
    );
  },
});

const READ_HELP = `\
Each call is logged for the humans who own the sender and, for a wire to a handle, the recipient. An operator may read 60 times
in 60 s.`;

const REASON = {
  flags: "--reason <text>",
  description: "why, for the humans who own the handle and for your audit log; 1 to 500 characters",
};

const columns = ({ time }: Output): readonly Column<OperatorListHandlesOutput["handles"][number]>[] => [
  { title: "handle", cell: ({ slug }) => `@${slug}` },
  { title: "name", cell: ({ display_name }) => display_name ?? "-", flexible: true },
  { title: "wires in 24 h", cell: ({ wires_last_day }) => String(wires_last_day) },
  { title: "suspended", cell: ({ suspended_at }) => time(suspended_at) },
  { title: "discoverable", cell: ({ discoverable }) => (discoverable ? "yes" : "no") },
  { title: "created", cell: ({ created_at }) => time(created_at) },
];

const API_COMMANDS = [
  operation("operator.getStatus", {
    name: "status",
    description: "show the state of the daemon, and the handles that sent most in 24 hours",
    examples: "wireroom operator status",
    show({ output, body }) {
      const { started_at, schema_version, database_bytes, writable, busiest_handles } = body;
      output.fields([
        ["version", body.version],
        ["started", output.time(started_at)],
        ["database", body.database],
        ["schema", String(schema_version)],
        ["size", database_bytes === null ? undefined : size(database_bytes)],
        ["writable", writable ? "yes" : "no"],
        ["failed requests", String(body.failed_requests)],
        ["held requests", String(body.held_requests)],
        ["waiting mails", String(body.waiting_mails)],
      ]);
      output.line();
      output.table(columns(output), busiest_handles, "no wires in 24 hours");
    },
  }),
  operation("operator.listHandles", {
    name: "handles",
    description: "find handles of all accounts, newest first",
    arguments: [argument("[text]", "part of a handle or of its display name", "q")],
    options: [
      { flags: "--suspended", description: "only suspended handles" },
      {
        flags: "--not-suspended",
        description: "only handles that are not suspended",
        conflicts: "suspended",
        sets: () => ({ suspended: false }),
      },
    ],
    page: "handles",
    examples: ["wireroom operator handles mall", "wireroom operator handles --suspended"],
    table: ({ output }) => [columns(output), "no handles"],
  }),
  operation("operator.getHandle", {
    name: "show-handle",
    description: "show any handle, with who suspended it and why",
    arguments: [handleArgument("any handle, such as @mallory", "slug")],
    examples: "wireroom operator show-handle @mallory",
    show: ({ output, body }) => output.fields(handleFields(body, output.time)),
    next: ({ body: { slug, suspended_at, account_suspended } }) => [
      `wireroom operator wires @${slug}`,
      `wireroom operator ${suspended_at === null && !account_suspended ? "suspend" : "restore"} @${slug}${account_suspended ? " --account" : ""}`,
    ],
  }),
  operation("operator.listWires", {
    name: "wires",
    description: "list the wires that a handle sent, newest first; its human sees it in the audit log",
    arguments: [handleArgument("any handle, such as @mallory", "sender", "<sender>")],
    page: "wires",
    waitsForPages: true,
    brief: true,
    help: READ_HELP,
    examples: "wireroom operator wires @mallory --brief",
    show: ({ output, body }) => writeWires(output, body.wires, "nothing sent yet"),
  }),
  operation("operator.getWire", {
    name: "show-wire",
    description: "show any wire; the humans concerned see it in their audit log",
    arguments: [wireArgument()],
    help: READ_HELP,
    examples: `wireroom operator show-wire ${EXAMPLE_ID}`,
    show: ({ output, body }) => writeWires(output, [body], ""),
  }),
  operation("operator.removeWire", {
    name: "remove-wire",
    description: "remove any wire permanently",
    arguments: [wireArgument()],
    options: [REASON],
    help: `\
The sender gets a notice, and so does the recipient of a wire to a handle. The reason is in the audit logs of the sender and of
the operator. A wire that was removed before keeps its first reason.`,
    examples: `wireroom operator remove-wire ${EXAMPLE_ID} \\\n      --reason "sells stolen keys"`,
    find: ({ client }) => assertOperator(client),
    prepare: ({ session, input }) => askForReason(session, input),
    confirm: ({ input }) => `Remove the wire ${oneLine(input.id)} permanently?`,
    success: ({ output, body: { id } }) => [`removed the wire  ${output.paint("dim", id)}`, id],
  }),
  suspension(
    "suspend",
    "suspend a handle: its API keys, access tokens and connections stop working; its wires stay",
    "every handle of its account; the account gets no new handle until it is restored",
    "floods #ops",
  ),
  suspension("restore", "end the suspension of a handle", "every handle of its account", "promised to stop"),
];

export const add = noun(
  "operator",
  "grant and revoke the operator role; find handles, read and remove wires, and suspend handles",
  [
    roleChange("grant", "make a handle an operator", { changed: "now", unchanged: "already" }),
    roleChange("revoke", "revoke the operator role of a handle", { changed: "no longer", unchanged: "not" }),
    addList,
    ...API_COMMANDS,
  ],
  {
    help: `\
grant, revoke and list open the daemon's database, even while the daemon runs. Run them on the daemon's machine, with the
same flags and variables. The other commands use the API, as a handle that is an operator. Everyone whose wires an operator
reads or removes, and everyone whose handle it suspends, sees this in their audit log, with the reason if there is one.`,
    examples: [
      "wireroom operator grant @alice",
      "wireroom operator list --data-dir ./data",
      "wireroom operator wires @mallory --as @alice",
      'wireroom operator suspend @mallory --reason "floods #ops" --as @alice',
    ],
  },
);

function roleChange(
  verb: "grant" | "revoke",
  description: string,
  { changed, unchanged }: { changed: string; unchanged: string },
): AddCommand {
  return command<DatabaseFlags>({
    name: verb,
    arguments: [{ usage: "<handle>", description: "any handle, such as @alice" }],
    description: `${description} (on the daemon's machine)`,
    options: addDatabaseOptions,
    async run(session, flags, handle) {
      const { output } = session;
      const { databaseUrl } = await readDatabaseSettings(session, flags);
      const { setOperator } = await load();
      const done = await setOperator(databaseUrl, handle!, verb).catch(rethrowAsApiError);
      output.result(done, () =>
        output.line(`@${done.handle} is ${done.changed ? changed : unchanged} an operator`),
      );
    },
  });
}

/** Converts an error from the daemon's code, which runs in this process, to the CLI's error class. */
async function rethrowAsApiError(error: Error & { code?: string }): Promise<never> {
  if (error.name !== "WireroomError" || !error.code) throw error;
  const { WireroomError } = await import("../../../sdk/src/api.js");
  throw new WireroomError(error.message, { code: error.code });
}

function suspension(
  verb: "suspend" | "restore",
  description: string,
  account: string,
  exampleReason: string,
): AddCommand {
  const suspended = verb === "suspend";
  return operation("operator.setSuspended", {
    name: verb,
    description,
    arguments: [handleArgument("any handle except the operator's own", "slug")],
    options: [{ flags: "--account", description: account }, REASON],
    fields: { suspended },
    examples: `wireroom operator ${verb} @mallory --reason "${exampleReason}"`,
    async find({ client, input: { slug, account } }) {
      if (!suspended) return undefined;
      const [handle, own] = await Promise.all([client.operator.getHandle({ slug }), client.profile.get()]);
      const isNew = account ? !handle.account_suspended : handle.suspended_at === null;
      return { ...handle, isNew: isNew && handle.slug !== own.slug };
    },
    prepare: ({ session, input, found }) => (found?.isNew ? askForReason(session, input) : {}),
    confirm: ({ input: { account }, found }) =>
      (found?.isNew ?? false) &&
      `Suspend ${account ? "every handle of the account of " : ""}@${found!.slug}?`,
    async after({ output, input: { account }, found }) {
      if (!found || found.isNew) return;
      const { slug, suspended_reason } = found;
      const reason =
        suspended_reason === null ? "without a reason" : `with the reason "${oneLine(suspended_reason)}"`;
      output.warn(
        `@${slug} was already suspended, ${reason}, which stays. To change it, first: wireroom operator restore @${slug}${account ? " --account" : ""}`,
      );
    },
    success({ input, body: { slug, suspended } }) {
      const subject = input.account ? `the account of @${slug}` : `@${slug}`;
      return [`${subject} is ${suspended ? "suspended" : "no longer suspended"}`, `@${slug}`];
    },
    next: ({ input, found, body: { slug, suspended } }) =>
      suspended && found?.isNew
        ? [`wireroom operator restore @${slug}${input.account ? " --account" : ""}`]
        : [],
  });
}

/**
 * Fails unless the handle is an operator. Call this before any question, which would otherwise be asked for
 * nothing.
 */
async function assertOperator(client: Wireroom): Promise<void> {
  await client.operator.listHandles({ limit: 1 });
}

async function askForReason(
  { prompt, flags: { yes } }: Session,
  { reason }: { reason?: string | undefined },
): Promise<{ reason?: string | undefined }> {
  if (reason !== undefined || yes || !prompt.isAvailable) return { reason };
  const answer = await prompt.optionalText("Reason, for the audit logs (Enter for none)", "--reason TEXT");
  return { reason: answer || undefined };
}

function handleFields(
  handle: OperatorGetHandleOutput,
  time: (time: string) => string,
): [name: string, value: string | undefined][] {
  const { suspended_at, suspended_by, suspended_reason } = handle;
  return [
    ["handle", `@${handle.slug}`],
    ["name", handle.display_name ?? undefined],
    ["bio", handle.bio ?? undefined],
    ["tags", handle.tags.join(", ") || undefined],
    ["discoverable", handle.discoverable ? "yes" : "no"],
    ["wires in 24 h", String(handle.wires_last_day)],
    ["suspended", suspended_at === null ? "no" : time(suspended_at)],
    ["same account", handle.account_handles.map((slug) => `@${slug}`).join(", ") || undefined],
    ["account", handle.account_suspended ? "suspended" : undefined],
    ["suspended by", suspended_by ?? undefined],
    ["reason", suspended_reason ?? undefined],
    ["created", time(handle.created_at)],
  ];
}
