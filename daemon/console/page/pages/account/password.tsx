import { useState } from "preact/hooks";
import { changePassword } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";

/** The form for a new password. It ends all other sign-ins of the human. */
export function Password({ email }: { email: string }) {
  const [password, setPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const change = async () => {
    const refused = await changePassword(email, password, newPassword);
    setProblem(refused);
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
      <Field label={texts.account.currentPassword}>
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
      <Field label={texts.account.newPassword} hint={texts.account.newPasswordHint} error={problem}>
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
