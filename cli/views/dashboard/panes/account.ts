/** The signed-in human, the daemon, and the active handle. */
import { WireroomError } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { plain } from "../../../output/colours.js";
import { explain } from "../../../output/errors.js";
import { type Span, span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import type { PaneDefinition } from "../pane-definition.js";

interface AccountField {
  name: string;
  value: string;
}

export const accountPane: PaneDefinition<AccountField> = {
  id: "account",
  title: "Account",
  idOf: ({ name }) => name,
  emptyText: "",
  actions: [],
  async load({ session, human, agent }, signal) {
    const { email, id } = await human.account.get({ signal });
    const activeHandle = await agent()
      .then((client) => client.profile.get({ signal }))
      .then(({ slug }) => `@${slug}`)
      .catch(reasonOf);
    return [
      { name: "e-mail", value: email },
      { name: "account", value: id },
      { name: "daemon", value: await session.url() },
      { name: "profile", value: session.profileName },
      { name: "acts as", value: activeHandle },
    ];
  },
  columns: () => [
    { title: "", cell: ({ name }) => span(name, THEME.faint) },
    { title: "", cell: valueSpan, flexible: true, minWidth: 40 },
  ],
  card: (field) => [[span(field.name, THEME.faint)], [valueSpan(field)]],
};

/**
 * Returns the text that stands for the active handle if none can act. Throws the error if the daemon does not
 * answer.
 */
function reasonOf(error: unknown): string {
  if (error instanceof WireroomError && error.status === undefined) throw error;
  const { message, code } = explain(error, plain);
  return error instanceof Failure ? `none: ${message}` : `${message} (${code})`;
}

function valueSpan({ name, value }: AccountField): Span {
  return span(value, name === "acts as" ? THEME.own : {});
}
