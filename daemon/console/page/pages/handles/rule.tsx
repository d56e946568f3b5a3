import type { Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { RuleField, ruleOfText, textOfRule } from "../../parts/editor/rule-field.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

/** What the inbox of a handle accepts. */
export default function Rule({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="rule">
      {(handle, reload) => <Form handle={handle} reload={reload} />}
    </HandleFrame>
  );
}

function Form({ handle, reload }: { handle: Handle; reload: () => void }) {
  const [rule, setRule] = useState(textOfRule(handle.inbox_rule));
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setError(undefined);
    try {
      await agent(handle.slug).profile.update({ inbox_rule: ruleOfText(rule) });
      showToast(texts.handles.saved);
      reload();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <RuleField legend={texts.handles.ruleLegend} rule={rule} onChange={setRule} canVote={false} />
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button kind="main" type="submit" onClick={save}>
          {texts.handles.save}
        </Button>
      </div>
    </form>
  );
}
