import { SECOND } from "../../src/kernel/clock.js";
import { type Check, fail, ok, reasonOf } from "./check.js";

const NAME = "mail";
const TIMEOUT = 5 * SECOND;

/** Checks that the mail server responds and accepts the URL's credentials. */
export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  if (smtpUrl === undefined)
    return ok(NAME, "no mail server is configured; the daemon writes confirmation codes to its log");
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
    return ok(NAME, `${url.host} responds`);
  } catch (error) {
    return fail(
      NAME,
      `${url.host} does not accept mail: ${reasonOf(error)}`,
      "check --smtp-url and the network; no sign-up can be confirmed until the mail server responds",
    );
  } finally {
    transport.close();
  }
}
