/** Implements the commands of `wireroom operator` that show handles and wires of others. */
import type { OperatorGetHandleOutput, OperatorListHandlesOutput } from "../../../sdk/src/index.js";
import { parseHandleArgument, parseWireArgument } from "../../input/arguments.js";
import {
  type BriefFlags,
  briefInput,
  type PageFlags,
  printNextPageHint,
  readPages,
} from "../../input/pages.js";
import { withRetry } from "../../input/retry.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { writeWires } from "../../output/show/wire.js";
import type { Column } from "../../output/table.js";
import type { Session } from "../../session.js";

export interface HandlesFlags extends PageFlags {
  suspended?: true;
  notSuspended?: true;
}

type ListedHandle = OperatorListHandlesOutput["handles"][number];

export async function showHandles(session: Session, flags: HandlesFlags, text?: string): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const suspended = flags.suspended ? true : flags.notSuspended ? false : undefined;
  const body = await readPages(flags, "handles", (page) =>
    client.operator.listHandles({ q: text, suspended, ...page }),
  );
  const columns: Column<ListedHandle>[] = [
    { title: "handle", cell: ({ slug }) => `@${slug}` },
    { title: "name", cell: ({ display_name }) => display_name ?? "-", flexible: true },
    { title: "wires in 24 h", cell: ({ wires_last_day }) => String(wires_last_day) },
    {
      title: "suspended",
      cell: ({ suspended_at }) => (suspended_at === null ? "-" : output.time(suspended_at)),
    },
    { title: "discoverable", cell: ({ discoverable }) => (discoverable ? "yes" : "no") },
    { title: "created", cell: ({ created_at }) => output.time(created_at) },
  ];
  output.result(body, () => {
    output.table(columns, body.handles, "no handles");
    const filters = [
      ...(text === undefined ? [] : [shellQuoted(text)]),
      ...(flags.suspended ? ["--suspended"] : []),
      ...(flags.notSuspended ? ["--not-suspended"] : []),
    ];
    printNextPageHint(output, body, ["wireroom operator handles", ...filters].join(" "));
  });
}

export async function showAnyHandle(session: Session, name: string): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const handle = await client.operator.getHandle({ slug: parseHandleArgument(session, name) });
  output.result(handle, () => {
    output.fields(handleFields(handle, output.time));
    const { slug, suspended_at, account_suspended } = handle;
    const option = account_suspended ? " --account" : "";
    output.nextSteps(
      `wireroom operator wires @${slug}`,
      `wireroom operator ${suspended_at === null && !account_suspended ? "suspend" : "restore"} @${slug}${option}`,
    );
  });
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
    ["account", handle.account_suspended ? "suspended" : undefined],
    ["suspended by", suspended_by ?? undefined],
    ["reason", suspended_reason ?? undefined],
    ["created", time(handle.created_at)],
  ];
}

export async function showWiresOf(
  session: Session,
  flags: PageFlags & BriefFlags,
  name: string,
): Promise<void> {
  const { output } = session;
  const sender = parseHandleArgument(session, name);
  const client = await session.agent();
  const input = { sender, ...briefInput(flags) };
  const body = await readPages(flags, "wires", (page) =>
    // All pages may be more than the limit on reads of wires allows.
    withRetry(session, flags.all ? { retry: true } : {}, () =>
      client.operator.listWires({ ...input, ...page }),
    ),
  );
  output.result(body, () => {
    writeWires(output, body.wires, "nothing sent yet");
    printNextPageHint(
      output,
      body,
      `wireroom operator wires ${shellQuoted(sender)}${flags.brief ? " --brief" : ""}`,
    );
  });
}

export async function showAnyWire(session: Session, name: string): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const wire = await client.operator.getWire({ id: parseWireArgument(session, name) });
  output.result(wire, () => writeWires(output, [wire], ""));
}
