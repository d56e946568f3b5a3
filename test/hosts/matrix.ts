/** The matrix as Markdown. Every cell follows from what a run has shown. */
import {
  INSTRUCTIONS,
  UNTRUSTED_CONTENT_IN_RESULT,
  UNTRUSTED_CONTENT_NOTICE,
} from "../../src/generate/mcp/instructions.js";
import type { ClientRun } from "./run-client.js";
import { MARK, type Outcome, type StepName, textOf, wireroomTool } from "./script.js";

export interface Row {
  title: string;
  version: string;
  nodeVersion: string;
  /** A run with a key, or why there is none. */
  byKey: ClientRun | string;
  /** A run with OAuth, or the error that prevented it. */
  byOAuth: ClientRun | string | undefined;
  /** Why there is no run with OAuth. */
  withoutOAuth: string | undefined;
  /** A run with OAuth by registration, if the daemon could not fetch the metadata document of the client. */
  byRegistration: ClientRun | string | undefined;
  date: string;
}

const YES = "yes";

/** Numbers the notes below the table. Equal notes share a number. */
class Reasons {
  readonly list: string[] = [];

  /** Returns the cell of what has failed. */
  mark(reason: string): string {
    return `no ${this.note(`\`${clip(reason)}\``)}`;
  }

  /** @param text Markdown */
  note(text: string): string {
    if (!this.list.includes(text)) this.list.push(text);
    return `[${this.list.indexOf(text) + 1}]`;
  }
}

export function matrixOf(rows: readonly Row[]): string {
  const reasons = new Reasons();
  const head = [
    ...["client", "version", "Node", "by key", "by OAuth"],
    ...["lists", "calls", "notice", "result", "long poll", "restart"],
    ...["resources, templates, prompts", "date"],
  ];
  const lines = rows.map((row) => [
    row.title,
    row.version,
    row.nodeVersion.split(".")[0]!,
    ...cellsOf(row, reasons),
    row.date,
  ]);
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  const notes = reasons.list.map((text, n) => `${n + 1}. ${text}`);
  return [...table, ...(notes.length > 0 ? ["", ...notes] : []), ""].join("\n");
}

function cellsOf(row: Row, reasons: Reasons): string[] {
  const { byKey, byOAuth } = row;
  const shown = typeof byKey === "string" ? byOAuth : byKey;
  const connects = [connectsIn(byKey, reasons), oauthIn(row, reasons)];
  if (typeof shown !== "object") return [...connects, "", "", "", "", "", "", ""];
  const { script, findings } = shown;
  const cell = (...names: StepName[]) =>
    stepCell(
      names.map((name) => script.outcomes.get(name)),
      reasons,
    );
  return [
    ...connects,
    toolsIn(shown),
    cell("send", "read", "error"),
    noticeIn(shown),
    formOfResult(script.outcomes.get("read")),
    cell("wait"),
    cell("restart"),
    listedBesides(findings, script.outcomes.get("resources"), reasons),
  ];
}

function oauthIn({ byOAuth, byRegistration, withoutOAuth }: Row, reasons: Reasons): string {
  if (withoutOAuth !== undefined) return `– ${reasons.note(withoutOAuth)}`;
  if (byRegistration === undefined || typeof byOAuth !== "object") return connectsIn(byOAuth!, reasons);
  const host = byOAuth.missingDocument;
  const why = `by registration: this machine cannot fetch the client's metadata document from ${host}`;
  return `${connectsIn(byRegistration, reasons)} ${reasons.note(why)}`;
}

/** A client is connected if the model got tools. */
function connectsIn(run: ClientRun | string, reasons: Reasons): string {
  if (typeof run === "string") return reasons.mark(run);
  if (run.script.tools.length > 0) return YES;
  return reasons.mark([...run.script.outcomes.values()][0]?.failure ?? "the model got no tools");
}

function stepCell(outcomes: readonly (Outcome | undefined)[], reasons: Reasons): string {
  const failed = outcomes.find((outcome) => !outcome || outcome.failure !== undefined);
  if (outcomes.every((outcome) => outcome && outcome.failure === undefined)) return YES;
  return reasons.mark(failed?.failure ?? "the client ended before");
}

function toolOf(name: string, { script }: ClientRun) {
  return script.tools.find((tool) => wireroomTool(name).test(tool.name));
}

/** Says where the model reads that other agents wrote the content. */
function noticeIn(run: ClientRun): string {
  const { request, outcomes } = run.script;
  const result = textOf(outcomes.get("read")?.result);
  const places = [
    ...(request.includes(NOTICE_IN_INSTRUCTIONS) ? ["instructions"] : []),
    ...(toolOf("read_inbox", run)?.description.includes(UNTRUSTED_CONTENT_IN_RESULT) ? ["description"] : []),
    ...(result.includes(UNTRUSTED_CONTENT_NOTICE) ? ["result"] : []),
  ];
  return places.join(", ") || "no";
}

/** The line of the instructions that contains the notice. */
const NOTICE_IN_INSTRUCTIONS = INSTRUCTIONS.split("\n").find((line) =>
  line.includes("never as instructions"),
)!;

/** Says in which form the result of `read_inbox` has reached the model. */
function formOfResult(outcome: Outcome | undefined): string {
  if (!outcome || outcome.failure !== undefined) return "";
  const text = textOf(outcome.result);
  if (text.includes("structuredContent")) return "`content` and `structuredContent`";
  if (text.includes(UNTRUSTED_CONTENT_NOTICE)) return "`content`";
  return text.split(MARK).length === 2 ? "the JSON alone" : "the JSON, repeated";
}

/** Counts the tools that the model gets, and those whose descriptions were cut. */
function toolsIn(run: ClientRun): string {
  const listed = run.served.filter(({ name }) => toolOf(name, run));
  const cut = listed.filter(({ name, description }) => !toolOf(name, run)!.description.includes(description));
  const note = cut.length > 0 ? `, ${cut.length} with a shortened description` : "";
  return `${listed.length} of ${run.served.length}${note}`;
}

function listedBesides(
  { resources, templates, prompts }: ClientRun["findings"],
  outcome: Outcome | undefined,
  reasons: Reasons,
): string {
  if (outcome)
    return outcome.failure === undefined ? "resources, by a tool of the host" : reasons.mark(outcome.failure);
  const counts = [resources, templates, prompts];
  if (counts.every((count) => count === undefined)) return "–";
  return counts.map((count) => (typeof count === "string" ? reasons.mark(count) : (count ?? "–"))).join(", ");
}

function clip(reason: string): string {
  const line = reason.replaceAll("`", "'").replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}
