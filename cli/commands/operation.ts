/**
 * Commands that call one API operation and print its result. A declaration determines a command's flags, help
 * text, input, pages and hints. The SDK's catalogue of operations determines each field's type.
 */
import { type Command, Option } from "commander";
import type { Wireroom, WireroomDashboard } from "../../sdk/src/api.js";
import type { CatalogueEntry, CatalogueField } from "../../sdk/src/operations.js";
import { Failure } from "../failure.js";
import { addPageOptions, type PageFlags, readPages } from "../input/pages.js";
import { addRetryOption, type RetryFlags, withRetry } from "../input/retry.js";
import { parseIdempotencyKey, readJson } from "../input/values.js";
import type { Output } from "../output/output.js";
import { oneLine } from "../output/safe.js";
import { shellQuoted } from "../output/shell-quote.js";
import type { Column } from "../output/table.js";
import type { Session, SharedFlags } from "../session.js";
import type { Argument } from "./arguments.js";
import { pathOf } from "./cli-command.js";
import { type AddCommand, addCommand, type CommandText } from "./command.js";
import { withSession } from "./with-session.js";

type Client = Wireroom & WireroomDashboard;
type Resource = keyof Client & string;

/** An operation's name, such as `blocks.add`, which is also a method of the SDK. */
type OperationId = { [R in Resource]: `${R}.${keyof Client[R] & string}` }[Resource];
type Method<Id> = Id extends `${infer R extends Resource}.${infer M}`
  ? M extends keyof Client[R]
    ? Client[R][M]
    : never
  : never;
type Input<Id> = Method<Id> extends (input: infer I, ...rest: never[]) => unknown ? NonNullable<I> : never;
type Result<Id> = Method<Id> extends (...args: never[]) => infer Answer ? Awaited<Answer> : never;

export type Fields = Readonly<Record<string, unknown>>;

interface OperationOption {
  flags: string;
  description: string;
  choices?: readonly string[];
  parse?: (value: string, previous?: unknown) => unknown;
  default?: string;
  required?: true;
  conflicts?: string;
  /**
   * The input field that the option sets, or a function that returns input fields. Default: the option's
   * name.
   */
  sets?: string | ((value: never, session: Session, given: never) => Fields);
}

interface Request<Id> {
  session: Session;
  output: Output;
  client: Client;
  input: Input<Id>;
  flags: PageFlags & SharedFlags;
}

interface Call<Id, Found = unknown> extends Request<Id> {
  body: Result<Id>;
  found: Found;
}

export interface Declaration<Id, Found> extends CommandText {
  arguments?: readonly Argument[];
  options?: readonly OperationOption[];
  /** Fields that every call has. */
  fields?: Fields;
  /** For a list: the result's property that contains the items. Adds `--limit`, `--cursor` and `--all`. */
  page?: keyof Result<Id> & string;
  /** If set, the command always reads all pages, with this many items per page, and has no page options. */
  pageSize?: number;
  /** With `--all`, repeats a rate-limited request later, because reading all pages may exceed the limit. */
  waitsForPages?: true;
  brief?: true;
  /** Adds `--follow`. */
  follow?: true;
  /**
   * Help text that says what requests with the same idempotency key do, such as `send one knock`. If set, the
   * command has the options `--idempotency-key` and `--retry`.
   */
  once?: string;
  changes?: true;

  // The functions below run in this order:

  /** Checks and completes the input before the client is created. */
  check?(input: Input<Id>, flags: PageFlags, session: Session): void;
  stream?(request: Request<Id>): Promise<boolean>;
  /** Loads data (`found`) that the functions below need besides the result. May throw a `Failure`. */
  find?(request: Request<Id>): Promise<Found>;
  prepare?(request: Request<Id> & { found: Found }): Fields | Promise<Fields>;
  /** Returns the question to confirm, or false for none. */
  confirm?(request: Request<Id> & { found: Found }): string | false;
  /** Runs after the call, also with `--json`. */
  after?(call: Call<Id, Found>): Promise<void>;
  /** Without `--json`, one of these prints the result: as text, as a sentence and a value, or as a table. */
  show?(call: Call<Id, Found>): void | Promise<void>;
  success?(call: Call<Id, Found>): readonly [sentence: string, value: string];
  table?(call: Call<Id, Found>): readonly [columns: readonly Column<never>[], textForNone: string];
  next?(call: Call<Id, Found>): readonly string[];
  /** Runs at the end, also with `--json`. */
  finish?(call: Call<Id, Found>): Promise<void>;
}

export function operation<Id extends OperationId, Found>(
  id: Id,
  declared: Declaration<Id, Found>,
): AddCommand {
  return (parent) => {
    const command = addCommand(parent, declared);
    for (const option of declared.options ?? []) command.addOption(optionOf(option));
    if (declared.page !== undefined && declared.pageSize === undefined) addPageOptions(command, declared);
    if (declared.once !== undefined) addOnceOptions(command, declared.once);
    command.action(
      withSession<PageFlags & RetryFlags, unknown[]>((session, flags, ...args) =>
        run(id, declared, { session, flags, args, command }),
      ),
    );
  };
}

function optionOf(declared: OperationOption): Option {
  const option = new Option(declared.flags, declared.description);
  if (declared.choices) option.choices(declared.choices);
  if (declared.parse) option.argParser(declared.parse);
  if (declared.default !== undefined) option.default(declared.default);
  if (declared.required) option.makeOptionMandatory();
  if (declared.conflicts !== undefined) option.conflicts(declared.conflicts);
  return option;
}

export function addOnceOptions(command: Command, what: string): Command {
  return addRetryOption(
    command.option(
      "--idempotency-key <key>",
      `makes retries safe: requests with the same idempotency key within 24 hours ${what}`,
      parseIdempotencyKey,
    ),
  );
}

interface CommandLine {
  session: Session;
  flags: PageFlags & RetryFlags & SharedFlags & { idempotencyKey?: string };
  args: readonly unknown[];
  command: Command;
}

async function run<Id extends OperationId, Found>(
  id: Id,
  declared: Declaration<Id, Found>,
  line: CommandLine,
): Promise<void> {
  const { session, flags } = line;
  const { output } = session;
  const { OPERATIONS } = await import("../../sdk/src/operations.js");
  const entry = OPERATIONS.find((each) => each.id === id)!;
  const input = { ...declared.fields, ...(await inputOf(entry, declared, line)) };
  declared.check?.(input as Input<Id>, flags, session);
  const client = (await session.clientFor(entry)) as Client;
  const call = { session, output, client, input: input as Input<Id>, flags };
  if (await declared.stream?.(call)) return;
  const found = (await declared.find?.(call)) as Found;
  Object.assign(input, await declared.prepare?.({ ...call, found }));
  const question = declared.confirm?.({ ...call, found });
  if (question) await session.prompt.confirm(question);
  const body = await answerOf(declared, line, (page) =>
    client.call<Result<Id>>(entry, { ...input, ...page }, { idempotencyKey: flags.idempotencyKey }),
  );
  const answered = { ...call, found, body };
  await declared.after?.(answered);
  if (output.json) output.result(body, undefined, id);
  else await show(declared, answered, line);
  await declared.finish?.(answered);
}

function answerOf<Body>(
  { page, pageSize, waitsForPages }: { page?: string; pageSize?: number; waitsForPages?: true },
  { session, flags }: CommandLine,
  call: (page: object) => PromiseLike<Body>,
): Promise<Body> {
  const retry = flags.retry || (flags.all && waitsForPages);
  const patient = (input: object) => withRetry(session, retry ? { retry } : {}, () => call(input));
  if (page === undefined) return patient({});
  const pages = pageSize === undefined ? flags : { all: true as const, limit: pageSize };
  return readPages(pages, page, patient as never) as Promise<Body>;
}

async function show<Id, Found>(
  declared: Declaration<Id, Found>,
  call: Call<Id, Found>,
  line: CommandLine,
): Promise<void> {
  const { output, body } = call;
  await declared.show?.(call);
  if (declared.success) output.success(...declared.success(call));
  if (declared.table) {
    const [columns, empty] = declared.table(call);
    const rows = declared.page === undefined ? body : body[declared.page as keyof typeof body];
    output.table(columns, rows as readonly never[], empty);
  }
  const next = declared.next?.(call) ?? [];
  if (next.length > 0) output.nextSteps(...next);
  const { next_cursor = null } = body as { next_cursor?: string | null };
  if (declared.page !== undefined && next_cursor !== null) printNextPageHint(declared, line, next_cursor);
}

async function inputOf(
  entry: CatalogueEntry,
  declared: Pick<Declaration<never, never>, "arguments" | "options" | "changes">,
  { session, flags, args, command }: CommandLine,
): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  for (const [index, argument] of (declared.arguments ?? []).entries()) {
    const value = args[index];
    if (value !== undefined) Object.assign(given, await argument.fields(value as never, session));
  }
  const named = Object.keys(given).length;
  for (const { flags: usage, sets } of declared.options ?? []) {
    const option = new Option(usage);
    const value = (flags as Fields)[option.attributeName()];
    if (value === undefined) continue;
    if (typeof sets === "function") Object.assign(given, sets(value as never, session, given as never));
    else {
      const name = sets ?? option.name().replace(/^no-/, "").replaceAll("-", "_");
      given[name] = await fieldValue(entry.fields[name]!, value, option.long!, session);
    }
  }
  if (declared.changes && Object.keys(given).length === named)
    throw new Failure("USAGE", "nothing to change: pass at least one option", [
      `List the options: ${pathOf(command)} --help`,
    ]);
  if (flags.brief) given.brief = true;
  return given;
}

/**
 * Converts an option's value for its field: an empty text to null, `--no-…` of a list to an empty list, and
 * JSON text to an object.
 */
function fieldValue({ type }: CatalogueField, value: unknown, flag: string, session: Session): unknown {
  const types = [type].flat();
  if (value === "" && types.includes("null")) return null;
  if (value === false && types.includes("array")) return [];
  return types.includes("object") ? readJson(value as string, flag, session.io.stdin) : value;
}

/** Says how to read the next page. */
function printNextPageHint(
  declared: Pick<Declaration<never, never>, "options">,
  { session: { output }, flags, args, command }: CommandLine,
  nextCursor: string,
): void {
  const cursor = `--cursor ${shellQuoted(nextCursor)}`;
  if (!output.isTerminal) {
    output.note(oneLine(`More results: add ${cursor}, or --all`));
    return;
  }
  const words = [pathOf(command)];
  let rest = "";
  for (const [index, { variadic }] of command.registeredArguments.entries()) {
    const given = [args[index] as string | string[] | undefined].flat().filter((word) => word !== undefined);
    if (variadic && given.length > 0) rest = ` -- ${given.map(shellQuoted).join(" ")}`;
    else words.push(...given.map(shellQuoted));
  }
  for (const { flags: usage } of [...(declared.options ?? []), { flags: "--brief" }]) {
    const option = new Option(usage);
    const value = (flags as Fields)[option.attributeName()];
    if (value === undefined || value === option.negate) continue;
    words.push(option.long!, ...(typeof value === "boolean" ? [] : [shellQuoted(String(value))]));
  }
  output.nextSteps(`${words.join(" ")} ${cursor}${rest}`);
}
