import { WireroomError } from "@wireroom/sdk";
import { Button } from "./button.js";
import { messageOf } from "./error-message.js";

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { errors = [], requestId } = error instanceof WireroomError ? error : {};
  const message = messageOf(error);
  const all = errors.map((each) =>
    each.instancePath === "" ? each.message : `${each.instancePath}: ${each.message}`,
  );
  // Omit a single reason that only repeats the message.
  const reasons = all.length === 1 && all[0] === message ? [] : all;
  return (
    <div class="alert" role="alert">
      <p>{message}</p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p class="hint">
          Request id: <code>{requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
