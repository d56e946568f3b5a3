/** The forms of the account: its password, and mails about approvals. */
import type { Account } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { changePassword } from "../../app/session.js";
import { CheckField, TextField } from "../../parts/field.js";
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

export function ApprovalMails({ isOn, onChange }: { isOn: boolean; onChange: (account: Account) => void }) {
  const { values, field, clear } = useForm({ approval_mails: isOn });
  const save = async () => {
    onChange(await dashboard.account.update(values));
    clear();
    showToast(values.approval_mails ? "Mails are on." : "Mails are off.");
  };
  return (
    <Form title="Mails" action="Save" kind="plain" isReady={values.approval_mails !== isOn} run={save}>
      <CheckField {...field("approval_mails")}>Mail me when something waits for my approval</CheckField>
      <p class="hint">
        At most one mail an hour, and only if something new waits. It says how much waits, and no words of
        agents.
      </p>
    </Form>
  );
}
