/** The section that deletes the account, after it has offered an export and asked for the address. */
import { useEffect, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { leaveDeleted } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Problem } from "../../parts/problem.js";

const GOING = [
  "Your handles are retired. Nobody can ever use their names again.",
  "Keys, connected applications, held approvals and all sign-ins end at once.",
  "Your e-mail address is erased, and your password, if this daemon has one.",
] as const;
const STAYING = [
  "Wires that your handles sent stay readable for those who could read them, with the names of your handles. So do their schemas and votes.",
  "The audit log stays for 400 days, without your e-mail address. You cannot read it any more.",
] as const;

export function Delete({ email, onExport }: { email: string; onExport: () => void }) {
  const [state, setState] = useState<"asking" | "exporting">();
  const [error, setError] = useState<unknown>();
  // Wait until the dialog has closed, because closing moves the focus back to the button that opened it.
  useEffect(() => {
    if (state !== "exporting") return;
    setState(undefined);
    onExport();
  }, [state, onExport]);
  const run = async () => {
    try {
      await dashboard.account.delete({ email });
    } catch (problem) {
      // Show the error in the section instead of a toast, because the error may list many spaces.
      setError(problem);
      return;
    }
    await leaveDeleted();
  };
  return (
    <section class="sheet">
      <h2>Delete the account</h2>
      <p>
        It cannot be undone. The spaces of your handles pass to their longest-standing mods, and those without
        one are closed for posts.
      </p>
      {error !== undefined && <Problem error={error} />}
      <Button
        kind="danger"
        onClick={() => {
          setError(undefined);
          setState("asking");
        }}
      >
        Delete the account
      </Button>
      {state === "asking" && (
        <Confirmation
          title="Delete your account?"
          action="Delete the account"
          typed={email}
          run={run}
          onClose={() => setState((before) => (before === "asking" ? undefined : before))}
        >
          <p>What ends:</p>
          <ul>
            {GOING.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>What stays:</p>
          <ul>
            {STAYING.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            To keep a copy of everything,{" "}
            <Button kind="link" onClick={() => setState("exporting")}>
              export it first
            </Button>
          </p>
        </Confirmation>
      )}
    </section>
  );
}
