import { SECOND } from "../../src/kernel/clock.js";
import { type Check, fail, ok, reasonOf } from "./check.js";

const NAME = "mail";
const TIMEOUT = 5 * SECOND;

/** Whether the mail server answers, and takes the credentials where the url has some. */
export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  if (smtpUrl === undefined) return ok(NAME, "no mail server is set: confirmation codes go to the log");
  const url = new URL(smtpUrl);
  url.searchParams.delete("from");
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: url.href,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  });
  try {
    await transport.verify();
    return ok(NAME, `${url.host} answers`);
  } catch (error) {
    return fail(
      NAME,
      `${url.host} does not take mail: ${reasonOf(error)}`,
      "check --smtp-url and the network; sign-ups cannot be confirmed until it answers",
    );
  } finally {
    transport.close();
  }
}
