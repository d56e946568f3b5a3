import type { Handle } from "@wireroom/sdk";
import { reloadHandles } from "../../app/acting.js";
import { agent } from "../../app/clients.js";
import { useDraft } from "../../app/draft.js";
import type { Params } from "../../app/router.js";
import { changesOf } from "../../parts/editor/changes.js";
import { RuleField, type RuleText, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { Form } from "../../parts/form.js";
import { showToast } from "../../parts/toast.js";
import { HandleFrame } from "./frame.js";

export default function Rule({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="rule">
      {(handle) => <RuleForm handle={handle} />}
    </HandleFrame>
  );
}

function RuleForm({ handle }: { handle: Handle }) {
  const saved = textOfRule(handle.inbox_rule);
  const [draft, setDraft] = useDraft<Partial<RuleText>>(`rule ${handle.slug}`, {});
  const rule = { ...saved, ...draft };
  const save = async () => {
    await agent(handle.slug).profile.update({ inbox_rule: ruleOfText(rule) });
    await reloadHandles();
    setDraft({});
    showToast("Saved.");
  };
  return (
    <Form action="Save" run={save}>
      <RuleField
        legend="What its inbox accepts"
        rule={rule}
        onChange={(next) => setDraft(changesOf(saved, next))}
        ofSpace={false}
      />
    </Form>
  );
}
