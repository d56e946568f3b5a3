import type { Handle } from "@wireroom/sdk";
import { reloadHandles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { RuleField, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { Form, useForm } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";

export default function Rule({ handle }: { handle: Handle }) {
  const { values, field, clear } = useForm(
    { inbox_rule: textOfRule(handle.inbox_rule) },
    `rule ${handle.slug}`,
  );
  const save = async () => {
    await agent(handle.slug).profile.update({ inbox_rule: ruleOfText(values.inbox_rule) });
    await reloadHandles();
    clear();
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <RuleField legend="What its inbox accepts" ofSpace={false} {...field("inbox_rule")} />
    </Form>
  );
}
