import type { BlocksListBlock } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import type { Listed, Loaded } from "../../parts/load.js";
import { texts } from "../../texts/index.js";
import { HandleForm } from "./handle-form.js";
import { HandleList } from "./handle-list.js";

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
      <HandleList
        as={as}
        of={of}
        empty={texts.people.noBlocks}
        buttonOf={(handle) => (
          <Button
            label={texts.people.unblockOf(`@${handle}`)}
            onClick={async () => {
              await agent(as).blocks.remove({ handle });
              onChange();
            }}
          >
            {texts.people.unblock}
          </Button>
        )}
      />
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
