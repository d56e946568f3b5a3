import type { SignIn } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { More, Show, useList } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";

/** Where the human is signed in. A sign-in of this browser ends by signing out. */
export function SignIns({ isEmbedded }: { isEmbedded: boolean }) {
  const signIns = useList("sign-ins", (signal) => dashboard.signIns.list({ limit: 20 }, { signal }));
  const [ending, setEnding] = useState<SignIn | "others">();
  const end = async () => {
    if (ending === "others") await dashboard.signIns.endOthers();
    else await dashboard.signIns.end({ id: ending!.id });
    showToast(ending === "others" ? texts.signIns.othersEnded : texts.signIns.ended);
    signIns.reload();
  };
  return (
    <section class="sheet">
      <h2>{texts.signIns.title}</h2>
      <p class="hint">{isEmbedded ? texts.signIns.hint : texts.signIns.hintExternal}</p>
      <Show of={signIns}>
        {(list) => (
          <>
            <ul class="list spaced">
              {list.items.map((each) => (
                <Row key={each.id} signIn={each} onEnd={() => setEnding(each)} />
              ))}
            </ul>
            <More of={list} />
            {list.items.some(({ current }) => !current) && (
              <Button kind="danger" onClick={() => setEnding("others")}>
                {texts.signIns.endOthers}
              </Button>
            )}
          </>
        )}
      </Show>
      {ending && (
        <Confirmation
          title={ending === "others" ? texts.signIns.endOthersTitle : texts.signIns.endTitle}
          action={ending === "others" ? texts.signIns.endOthers : texts.signIns.end}
          run={end}
          onClose={() => setEnding(undefined)}
        >
          <p>{ending === "others" ? texts.signIns.endOthersText : texts.signIns.endText}</p>
          <p>{texts.signIns.stays}</p>
        </Confirmation>
      )}
    </section>
  );
}

function Row({ signIn, onEnd }: { signIn: SignIn; onEnd: () => void }) {
  const { client, created_at, last_used_at, current } = signIn;
  return (
    <li class="row">
      <strong>{texts.signIns.clients[client]}</strong>
      <span class="quiet">
        {texts.signIns.since} <Time at={created_at} />
      </span>
      <span class="quiet">
        {texts.signIns.lastUsed} <Time at={last_used_at} />
      </span>
      <span class="end">
        {current ? (
          <strong>{texts.signIns.current}</strong>
        ) : (
          <Button kind="danger" label={texts.signIns.endOf(texts.signIns.clients[client])} onClick={onEnd}>
            {texts.signIns.end}
          </Button>
        )}
      </span>
    </li>
  );
}
