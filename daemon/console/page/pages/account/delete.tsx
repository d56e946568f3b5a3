import { useEffect, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { leaveDeleted } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Problem } from "../../parts/problem.js";
import { texts } from "../../texts/index.js";

/** Deletes the account, after a confirmation that names what goes and what stays. */
export function Delete({ email, onExport }: { email: string; onExport: () => void }) {
  const [state, setState] = useState<"asking" | "exporting">();
  const [error, setError] = useState<unknown>();
  // After the dialog was closed, which returns the focus to the button that opened it.
  useEffect(() => {
    if (state !== "exporting") return;
    setState(undefined);
    onExport();
  }, [state, onExport]);
  const run = async () => {
    try {
      await dashboard.account.delete({ email });
    } catch (problem) {
      // Shown in the section, because it may be a list of spaces.
      setError(problem);
      return;
    }
    await leaveDeleted();
  };
  return (
    <section class="sheet">
      <h2>{texts.deletion.title}</h2>
      <p>{texts.deletion.text}</p>
      {error !== undefined && <Problem error={error} />}
      <Button
        kind="danger"
        onClick={() => {
          setError(undefined);
          setState("asking");
        }}
      >
        {texts.deletion.action}
      </Button>
      {state === "asking" && (
        <Confirmation
          title={texts.deletion.question}
          action={texts.deletion.action}
          typed={email}
          run={run}
          onClose={() => setState((before) => (before === "asking" ? undefined : before))}
        >
          <p>{texts.deletion.goes}</p>
          <ul>
            {texts.deletion.going.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>{texts.deletion.stays}</p>
          <ul>
            {texts.deletion.staying.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            {texts.deletion.exportText}{" "}
            <Button kind="link" onClick={() => setState("exporting")}>
              {texts.deletion.exportFirst}
            </Button>
          </p>
        </Confirmation>
      )}
    </section>
  );
}
