import { useState } from "preact/hooks";
import { changePassword } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { TextField } from "../../parts/field.js";
import { showToast } from "../../parts/toast.js";

interface Refusal {
  field: "password" | "new_password";
  text: string;
}

/** Parses an error message such as `/new_password: must have at least 8 characters`. */
function refusalOf(message: string): Refusal {
  const [, name, reason] = /^\/(password|new_password): (.*)$/s.exec(message) ?? [];
  if (name === undefined || reason === undefined) return { field: "new_password", text: message };
  const field = name as Refusal["field"];
  return { field, text: `The ${field === "password" ? "current" : "new"} password ${reason}.` };
}

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
    showToast("The password is changed, and all other sign-ins have ended.");
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>Password</h2>
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
      <TextField
        label="Current password"
        error={problemOf("password")}
        type="password"
        autoComplete="current-password"
        value={password}
        onInput={setPassword}
      />
      <TextField
        label="New password"
        hint="It ends all other sign-ins. Keys and connected applications keep working."
        error={problemOf("new_password")}
        type="password"
        autoComplete="new-password"
        value={newPassword}
        onInput={setNewPassword}
      />
      <Button type="submit" disabled={password === "" || newPassword === ""} onClick={change}>
        Change the password
      </Button>
    </form>
  );
}
