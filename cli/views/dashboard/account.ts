/** The signed-in human, the daemon, and the active handle. */
import { WireroomError } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import type { Noun } from "../list-detail/noun.js";
import { THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

export const accountNoun = ({
  session,
  human,
  agent,
}: Sources): Noun<readonly [name: string, value: string]> => ({
  id: "account",
  title: "Account",
  emptyText: "",
  idOf: ([name]) => name,
  async load(signal) {
    const { email, id } = await human.account.get({ signal });
    const activeHandle = await agent()
      .then((client) => client.profile.get({ signal }))
      .then(({ slug }) => `@${slug}`)
      .catch(reasonOf);
    return [
      ["e-mail", email],
      ["account", id],
      ["daemon", await session.url()],
      ["profile", session.profileName],
      ["acts as", activeHandle],
    ];
  },
  columns: [
    { title: "", text: ([name]) => name, style: THEME.faint },
    {
      title: "",
      text: ([, value]) => value,
      style: ([name]) => (name === "acts as" ? THEME.own : {}),
      flexible: true,
      minWidth: 40,
    },
  ],
  isCounted: false,
  actions: [],
});

function reasonOf(error: unknown): string {
  if (error instanceof WireroomError && error.status === undefined) throw error;
  const { message, code } = explain(error, plain);
  return error instanceof Failure ? `none: ${message}` : `${message} (${code})`;
}
