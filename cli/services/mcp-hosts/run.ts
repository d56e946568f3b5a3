import type { Output } from "../../output/output.js";
import { oneLine, safe } from "../../output/safe.js";
import type { Session } from "../../session.js";
import {
  type ChangeRequest,
  type HostChange,
  type PlannedChange,
  planChanges,
  type WrittenChange,
} from "./change.js";
import { planSkills } from "./skill.js";

/**
 * Implements `wireroom mcp install` and `uninstall`. Asks for confirmation if the request names no host.
 * @param print only show the changes, without writing them
 * @param skill whether to change the skill too
 */
export async function changeHosts(
  session: Session,
  request: ChangeRequest,
  { print, skill }: { print: boolean; skill: boolean },
): Promise<void> {
  const planned = await planChanges(session, request);
  if (skill) planned.push(...(await planSkills(session, request, planned)));
  await applyChanges(session, planned, { name: request.name, print, asks: request.host === undefined });
}

export async function applyChanges(
  { output, prompt }: Session,
  planned: readonly PlannedChange[],
  { name, print, asks }: { name: string; print: boolean; asks: boolean },
): Promise<void> {
  const pending = planned.filter(({ action }) => action !== "none");
  if (print) {
    const changes = planned.map(({ write: _, ...change }) => change);
    return output.result({ name, changes }, () => {
      for (const change of changes) showPlan(change, name, output);
    });
  }
  if (asks && pending.length > 0) {
    for (const { title, file, action, diff } of pending) {
      output.note(`${title}: ${action} ${name} in ${file}`);
      // Only the lines say what is replaced, such as the handle.
      if (action === "replace") for (const line of diff) output.note(safe(line));
    }
    await prompt.confirm(
      pending.length === 1 ? "Change this file?" : `Change these ${pending.length} files?`,
    );
  }
  const changes: WrittenChange[] = [];
  for (const { write, diff: _, ...change } of planned) {
    const written = change.action !== "none";
    changes.push({ ...change, written, backup: written ? await write() : null });
  }
  output.result({ name, changes }, () => {
    for (const change of changes) showChange(change, name, output);
  });
}

const DONE = { add: "added", replace: "replaced", remove: "removed" } as const;

function showPlan({ title, file, action, diff }: HostChange, name: string, output: Output): void {
  output.line(
    `${title}: ${action === "none" ? `no change of ${name}` : `${action} ${name}`} in ${oneLine(file)}`,
  );
  for (const line of diff) output.line(output.paint(line.startsWith("+") ? "green" : "red", safe(line)));
}

export function showChange(change: WrittenChange, name: string, output: Output): void {
  const { title, file, action, backup, next } = change;
  if (action === "none") {
    output.note(`${title}: nothing to change in ${oneLine(file)}`);
    return;
  }
  output.success(`${title}: ${DONE[action]} ${name} in ${file}`, file);
  if (backup !== null) output.note(`The file before the change: ${oneLine(backup)}`);
  if (next !== null) output.note(next);
}
