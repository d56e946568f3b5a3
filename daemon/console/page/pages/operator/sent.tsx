import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Empty } from "../../parts/empty.js";
import { More, Show, useList } from "../../parts/load.js";
import { LongList } from "../../parts/wire/long-list.js";
import { texts } from "../../texts/index.js";
import { OperatedContent } from "./content.js";

interface SentProps {
  sender: string;
  as: string;
}

/**
 * The wires that a handle sent. They are read only when the operator asks for them, because each page is
 * logged.
 */
export function Sent(props: SentProps) {
  const [isShown, setShown] = useState(false);
  return (
    <section>
      <h2>{texts.operator.sentTitle}</h2>
      {isShown ? (
        <Wires {...props} />
      ) : (
        <>
          <p>{texts.operator.sentHint}</p>
          <Button onClick={() => setShown(true)}>{texts.operator.showSent}</Button>
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
          <Empty title={texts.operator.nothingSent} />
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
