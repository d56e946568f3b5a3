import { WireroomError } from "@wireroom/sdk";
import { Button } from "./button.js";
import { messageOf } from "./error-message.js";

/** Shows an error with the reasons that the daemon gave, the id of the request, and a way to try again. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { errors = [], requestId } = error instanceof WireroomError ? error : {};
  const message = messageOf(error);
  const all = errors.map((each) =>
    each.instancePath === "" ? each.message : `${each.instancePath}: ${each.message}`,
  );
  // The only reason is often the message itself.
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
