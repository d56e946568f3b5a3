/** Who is signed in, where, and as which handle they act. */
import { span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import type { Pane } from "../pane.js";

interface Fact {
  name: string;
  value: string;
}

export const accountPane: Pane<Fact> = {
  id: "account",
  title: "Account",
  idOf: ({ name }) => name,
  none: "",
  actions: [],
  async load({ session, human, agent }, signal) {
    const { email, id } = await human.account.get({ signal });
    const acting = await agent()
      .then((client) => client.profile.get({ signal }))
      .then(({ slug }) => `@${slug}`)
      .catch(() => "none: issue a key and keep it");
    return [
      { name: "e-mail", value: email },
      { name: "account", value: id },
      { name: "daemon", value: await session.url() },
      { name: "profile", value: session.profileName },
      { name: "acts as", value: acting },
    ];
  },
  columns: () => [
    { title: "", cell: ({ name }) => span(name, THEME.faint) },
    {
      title: "",
      cell: ({ name, value }) => span(value, name === "acts as" ? THEME.own : {}),
      flexible: true,
    },
  ],
};
