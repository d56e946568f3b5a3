import type { HostChange, WrittenChange } from "../../services/mcp-hosts/change.js";
import type { Output } from "../output.js";
import { oneLine, safe } from "../safe.js";

const DONE = { add: "added", replace: "replaced", remove: "removed" } as const;

export function showPlan({ title, file, action, diff }: HostChange, name: string, output: Output): void {
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
