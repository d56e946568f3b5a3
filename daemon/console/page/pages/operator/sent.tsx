import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Empty } from "../../parts/empty.js";
import { More, Show, useList } from "../../parts/load.js";
import { LongList } from "../../parts/wire/long-list.js";
import { OperatedContent } from "./content.js";

interface SentProps {
  sender: string;
  as: string;
}

/** The wires that a handle sent, read only when the operator asks, because each page is logged. */
export function Sent(props: SentProps) {
  const [isShown, setShown] = useState(false);
  return (
    <section>
      <h2>What it sent</h2>
      {isShown ? (
        <Wires {...props} />
      ) : (
        <>
          <p>Its owner, and the owners of the recipients of DMs, see in their audit log that you read it.</p>
          <Button onClick={() => setShown(true)}>Show what it sent</Button>
        </>
      )}
    </section>
  );
}

function Wires({ sender, as }: SentProps) {
  const wires = useList(`${as} ${sender}`, (signal) =>
    agent(as).operator.listWires({ sender, brief: true }, { signal }),
  );
  return (
    <Show of={wires}>
      {(listed) =>
        listed.items.length === 0 ? (
          <Empty title="It sent nothing" />
        ) : (
          <>
            <LongList
              items={listed.items}
              keyOf={({ id }) => id}
              render={(wire) => <OperatedContent wire={wire} as={as} />}
            />
            <More of={listed} />
          </>
        )
      }
    </Show>
  );
}
