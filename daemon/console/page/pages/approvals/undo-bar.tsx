/**
 * The bar that undoes answers. It also offers to approve what else waits for a recipient that is now always
 * allowed.
 */
import { navigate, path } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { counted } from "../../parts/count.js";
import { batches, decide, justAllowed, UNDO_MS, undo, undoAll } from "./answers.js";
import { secretsOf } from "./filter.js";
import { nameOf, pending, STATUSES } from "./store.js";

export function UndoBar() {
  const last = batches.value.at(-1);
  return (
    <>
      <Twins />
      {last && (
        // Each batch has its own key, so that the countdown restarts.
        <div key={last.timer} class="toast undo" style={{ "--undo": `${UNDO_MS}ms` }}>
          <span>{textOfBatches()}</span>
          <Button kind="link" onClick={undo}>
            {batches.value.length > 1 ? "Undo last" : "Undo"}
          </Button>
          {batches.value.length > 1 && (
            <Button kind="link" onClick={undoAll}>
              Undo all
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function textOfBatches(): string {
  const all = batches.value;
  const { answer, approvals } = all.at(-1)!;
  const countOf = (status: typeof answer.status) =>
    all.reduce((sum, each) => sum + (each.answer.status === status ? each.left.size : 0), 0);
  const [approved, rejected] = [countOf("approved"), countOf("rejected")];
  const secretCount = all
    .filter((each) => each.answer.status === "approved")
    .flatMap((each) => each.approvals.filter((one) => secretsOf(one).length > 0)).length;
  const secrets =
    secretCount > 0 ? ` ${counted(secretCount, "apparent secret")} among what is approved.` : "";
  const [first] = approvals;
  const name = nameOf(first!);
  const these = approvals.length > 1 ? "these recipients are" : "this recipient is";
  const always = answer.remember ? `, and ${these} always allowed from then on` : "";
  if (approved > 0 && rejected > 0)
    return `Approved ${approved} and rejected ${rejected}. The last was ${name}. What is approved is sent in 5 seconds${always}.${secrets}`;
  const count = approved + rejected;
  const done = STATUSES[answer.status];
  const names = count > 1 ? ` ${count}: ${name} and ${count - 1} more.` : `: ${name}.`;
  if (answer.status === "rejected") return done + names;
  return `${done}${names} ${count > 1 ? "They are" : "It is"} sent in 5 seconds${always}.${secrets}`;
}

/**
 * Offers to approve what else waits for these recipients, because allowing a recipient does not answer
 * earlier approvals.
 */
function Twins() {
  const allowed = new Set(justAllowed.value.map(nameOf));
  const twins = (pending.value ?? []).filter((each) => allowed.has(nameOf(each)));
  const [first] = twins;
  if (!first) return null;
  const names = new Set(twins.map(nameOf));
  const close = () => {
    justAllowed.value = [];
  };
  return (
    <div class="toast">
      <span>
        {nameOf(first)}
        {names.size > 1 && ` and ${names.size - 1} more`}:{" "}
        {twins.length === 1 ? "1 other waits" : `${twins.length} others wait`}.
      </span>
      <Button
        kind="link"
        onClick={() => {
          close();
          decide(twins, { status: "approved" });
          if (twins.some(({ id }) => path.value === `/approvals/${id}`))
            navigate("/approvals", { replace: true });
        }}
      >
        Approve {twins.length === 1 ? "it" : "them"}, too
      </Button>
      <button type="button" class="link" aria-label="Dismiss" onClick={close}>
        ×
      </button>
    </div>
  );
}
