import { useState } from "preact/hooks";
import { changePassword } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";

/** Why the daemon refused the change, and the field that it is about. */
interface Refusal {
  field: "password" | "new_password";
  text: string;
}

/** Reads a message such as `/new_password: must have at least 8 characters`. */
function refusalOf(message: string): Refusal {
  const [, name, reason] = /^\/(password|new_password): (.*)$/s.exec(message) ?? [];
  if (name === undefined || reason === undefined) return { field: "new_password", text: message };
  const field = name as Refusal["field"];
  return { field, text: texts.account.refused[field](reason) };
}

/** The form for a new password. It ends all other sign-ins of the human. */
export function Password({ email }: { email: string }) {
  const [password, setPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const problemOf = (field: Refusal["field"]) => (refusal?.field === field ? refusal.text : undefined);
  const change = async () => {
    const refused = await changePassword(email, password, newPassword);
    setRefusal(refused === undefined ? undefined : refusalOf(refused));
    if (refused !== undefined) return;
    setPassword("");
    setNewPassword("");
    showToast(texts.account.passwordChanged);
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.account.password}</h2>
      {/* For password managers. */}
      <input
        type="email"
        class="hidden"
        value={email}
        autoComplete="username"
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Field label={texts.account.currentPassword} error={problemOf("password")}>
        {(props) => (
          <input
            {...props}
            type="password"
            autoComplete="current-password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={texts.account.newPassword}
        hint={texts.account.newPasswordHint}
        error={problemOf("new_password")}
      >
        {(props) => (
          <input
            {...props}
            type="password"
            autoComplete="new-password"
            value={newPassword}
            onInput={(event) => setNewPassword(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={password === "" || newPassword === ""} onClick={change}>
        {texts.account.changePassword}
      </Button>
    </form>
  );
}
