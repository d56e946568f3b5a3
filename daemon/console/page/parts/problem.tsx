import { WireroomError } from "@wireroom/sdk";
import { texts } from "../texts/index.js";
import { Button } from "./button.js";
import { messageOf } from "./error-message.js";

/** Shows an error with the reasons that the daemon gave, the id of the request, and a way to try again. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { errors = [], requestId } = error instanceof WireroomError ? error : {};
  return (
    <div class="alert" role="alert">
      <p>{messageOf(error)}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map((reason) => (
            <li key={JSON.stringify(reason)}>
              {reason.instancePath === "" ? reason.message : `${reason.instancePath}: ${reason.message}`}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p class="hint">
          {texts.problem.requestId} <code>{requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>{texts.tryAgain}</Button>}
    </div>
  );
}
