/** Asks again for input that the identity provider rejects. */
import { WireroomError } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";

const INPUT_OF: Readonly<Record<string, string>> = {
  "/email": "email",
  "/code": "code",
  "/password": "password",
  "/new_password": "newPassword",
};

/**
 * Repeats an attempt, which asks for missing input, until the provider accepts it. After a rejection, prints
 * the reasons and clears the wrong input. Throws the error if a value in `given` is wrong, because the human
 * cannot enter that value again.
 */
export async function untilValid<Input extends Record<string, string | undefined>>(
  session: Session,
  given: Input,
  attempt: (input: Input) => Promise<void>,
): Promise<Input> {
  const input = { ...given };
  for (;;) {
    try {
      await attempt(input);
      return input;
    } catch (error) {
      if (!isInvalid(error) || !session.prompt.isAvailable) throw error;
      const wrong = wrongInputs(error);
      if (wrong.length === 0 || wrong.some((name) => given[name] !== undefined)) throw error;
      printReasons(session, error);
      for (const name of wrong) delete input[name];
    }
  }
}

function wrongInputs({ errors }: WireroomError): string[] {
  return errors.flatMap(({ instancePath }) => INPUT_OF[instancePath] ?? []);
}

export function isInvalid(error: unknown): error is WireroomError {
  return error instanceof WireroomError && error.code === "VALIDATION_ERROR";
}

export function printReasons({ output }: Session, { errors, message }: WireroomError): void {
  const reasons = errors.map((reason) =>
    `${reason.instancePath
      .slice(1)
      .replace(/^slug$/, "name")
      .replaceAll("_", " ")} ${reason.message}`.trim(),
  );
  for (const reason of reasons.length > 0 ? reasons : [message])
    output.note(output.paintNote("yellow", oneLine(reason)));
}
