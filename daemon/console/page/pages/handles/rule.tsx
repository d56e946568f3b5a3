import type { Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { RuleField, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { Form } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";
import { HandleFrame } from "./frame.js";

export default function Rule({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="rule">
      {(handle, reload) => <RuleForm handle={handle} reload={reload} />}
    </HandleFrame>
  );
}

function RuleForm({ handle, reload }: { handle: Handle; reload: () => void }) {
  const [rule, setRule] = useState(textOfRule(handle.inbox_rule));
  const save = async () => {
    await agent(handle.slug).profile.update({ inbox_rule: ruleOfText(rule) });
    showToast("Saved.");
    reload();
  };
  return (
    <Form action="Save" run={save}>
      <RuleField legend="What its inbox accepts" rule={rule} onChange={setRule} ofSpace={false} />
    </Form>
  );
}
