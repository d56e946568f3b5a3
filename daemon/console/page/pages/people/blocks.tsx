import type { BlocksListBlock } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { type Listed, type Loaded, More, Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { texts } from "../../texts/index.js";
import { HandleForm } from "./handle-form.js";

export function Blocks({
  as,
  of,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<BlocksListBlock>>;
  onChange: () => void;
}) {
  return (
    <section>
      <h2>{texts.people.blocks}</h2>
      <Show of={of}>
        {(listed) =>
          listed.items.length === 0 ? (
            <p>{texts.people.noBlocks}</p>
          ) : (
            <>
              <ul class="list">
                {listed.items.map(({ handle, since }) => (
                  <li key={handle} class="row">
                    <HandleName slug={handle} as={as} />
                    <span class="quiet">
                      {texts.people.since} <Time at={since} />
                    </span>
                    <span class="end">
                      <Button
                        label={texts.people.unblockOf(`@${handle}`)}
                        onClick={async () => {
                          await agent(as).blocks.remove({ handle });
                          onChange();
                        }}
                      >
                        {texts.people.unblock}
                      </Button>
                    </span>
                  </li>
                ))}
              </ul>
              <More of={listed} />
            </>
          )
        }
      </Show>
      <HandleForm
        title={texts.people.blockTitle}
        action={texts.people.block}
        hint={texts.people.blockHint(`@${as}`)}
        run={async (handle) => {
          await agent(as).blocks.add({ handle });
          onChange();
        }}
      />
    </section>
  );
}
