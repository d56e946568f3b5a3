import { WireroomError } from "@wireroom/sdk";
import { Button } from "./button.js";
import { messageOf, reasonsOf, repeats, sentenceOf } from "./error-message.js";

interface ProblemProps {
  error: unknown;
  reasons?: ReturnType<typeof reasonsOf>;
  retry?: () => void;
}

/** @param reasons the reasons that no field shows */
export function Problem({ error, reasons = reasonsOf(error), retry }: ProblemProps) {
  const { requestId, errors = [] } = error instanceof WireroomError ? error : {};
  const isRepeated = error instanceof WireroomError && errors.some((each) => repeats(error, each));
  const texts = [...(isRepeated ? [] : [messageOf(error)]), ...reasons.map((each) => sentenceOf(each))];
  return (
    <div class="alert" role="alert">
      {[...new Set(texts)].map((text) => (
        <p key={text}>{text}</p>
      ))}
      {requestId !== undefined && (
        <p class="hint">
          Request id: <code>{requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
