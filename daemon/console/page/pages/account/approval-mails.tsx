import type { Account } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { CheckField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";

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
