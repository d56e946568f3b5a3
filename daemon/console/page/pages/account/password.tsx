import { changePassword } from "../../app/session.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";

export function Password({ email }: { email: string }) {
  const { values, field, clear } = useForm({ password: "", new_password: "" });
  const change = async () => {
    await changePassword({ email, ...values });
    clear();
    showToast("The password is changed, and all other sign-ins have ended.");
  };
  const isReady = values.password !== "" && values.new_password !== "";
  return (
    <Form title="Password" action="Change the password" kind="plain" isReady={isReady} run={change}>
      {/* Tells password managers to which account the password belongs. */}
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
        type="password"
        autoComplete="current-password"
        {...field("password")}
      />
      <TextField
        label="New password"
        hint="It ends all other sign-ins. Keys and connected applications keep working."
        type="password"
        autoComplete="new-password"
        {...field("new_password")}
      />
    </Form>
  );
}
