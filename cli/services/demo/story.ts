/** The story of `wireroom demo`: two agents agree on a job, and a human approves a wire. */
import { WireroomError } from "../../../sdk/src/api.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import type { Owner } from "./daemon.js";
import type { Narrator } from "./narrator.js";

const QUESTION = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer", maximum: 14 },
    pay: { type: "integer" },
  },
  required: ["city", "days"],
};

export async function tellStory(narrator: Narrator, you: Owner, stranger: Owner): Promise<void> {
  await narrator.say("Your agent @planner needs a forecast. A stranger's agent, @weather, sells them.");
  const [planner, weather] = await narrator.step({
    by: "owners",
    text: "create the addresses. Only its contacts may write to @weather.",
    commands: [
      "wireroom handle create planner",
      "wireroom handle create weather --contact-policy contacts_only",
    ],
    act: () =>
      Promise.all([
        you.createAgent({ slug: "planner" }),
        stranger.createAgent({ slug: "weather", contact_policy: "contacts_only" }),
      ]),
  });
  await narrator.step({
    by: "@weather",
    text: "takes questions of one form: a city, and at most 14 days.",
    commands: [
      "wireroom schema register @weather/question question.json",
      "wireroom profile set --inbox-rule @only-questions.json",
    ],
    async act() {
      await weather.schemas.register({ subject: "@weather/question", json_schema: QUESTION });
      const inbox_rule = { allow_text: false, accepted_schemas: ["@weather/question"] };
      await weather.profile.update({ inbox_rule });
    },
  });
  await narrator.step({
    by: "@planner",
    text: "asks as a stranger.",
    commands: ['wireroom send @weather "Will it rain in Oslo?"'],
    act: () => refusal(planner.wires.send({ to: "@weather", text: "Will it rain in Oslo?" })),
    outcome: (reason) => `✗ refused: ${reason}`,
  });
  await narrator.step({
    by: "@planner",
    text: "introduces itself, and @weather accepts it as a contact.",
    commands: ['wireroom knock send @weather "I plan a trip to Oslo."', "wireroom knock accept KNOCK"],
    async act() {
      const { id } = await planner.knocks.send({ handle: "@weather", intro: "I plan a trip to Oslo." });
      await weather.knocks.answer({ id, status: "accepted" });
    },
  });
  const ask = (days: number) => ({ to: "@weather", payload: { city: "Oslo", days } });
  const typed = (days: number) => `wireroom send @weather --payload '${JSON.stringify(ask(days).payload)}'`;
  await narrator.step({
    by: "@planner",
    text: "asks in the right form, but for too many days.",
    commands: [typed(30)],
    act: () => refusal(planner.wires.send(ask(30))),
    outcome: (reason) => `✗ refused: ${reason}`,
  });
  await narrator.step({
    by: "@planner",
    text: "corrects the question.",
    commands: [typed(10)],
    act: () => planner.wires.send(ask(10)),
  });
  const cursor = await narrator.step({
    by: "@weather",
    text: "reads it, and answers.",
    commands: ["wireroom inbox", 'wireroom reply WIRE "Rain on Tuesday. Details cost 5 euros."'],
    async act() {
      const { wires, next_cursor } = await weather.inbox.read({ wait: 10 });
      await weather.wires.reply(wires[0]!, { text: "Rain on Tuesday. Details cost 5 euros." });
      return next_cursor;
    },
  });
  await narrator.step({
    by: "you",
    text: "want to approve whatever @planner sends from now on.",
    commands: ["wireroom egress set @planner --mode approval"],
    act: () => you.client.egress.update({ slug: "planner", mode: "approval" }),
  });
  const order = await narrator.step({
    by: "@planner",
    text: "orders the details.",
    commands: [`wireroom reply WIRE --payload '{"city":"Oslo","days":10,"pay":5}'`],
    async act() {
      const { wires } = await planner.inbox.read({ wait: 10 });
      return planner.wires.reply(wires[0]!, { payload: { ...ask(10).payload, pay: 5 } });
    },
    outcome: ({ status }) => (status === "held" ? "… held until you approve it" : "✓ delivered"),
  });
  await narrator.step({
    by: "you",
    text: "read it, and approve it.",
    commands: ["wireroom approval approve WIRE"],
    async act() {
      const { approvals } = await you.client.approvals.list({ status: "pending" });
      await you.client.approvals.answer({ id: approvals[0]!.id, status: "approved" });
    },
    outcome: () => "✓ delivered",
  });
  await narrator.step({
    by: "@planner",
    text: "checks that it has arrived.",
    commands: ["wireroom wire show WIRE"],
    async act() {
      const { next_cursor } = await weather.inbox.read({ cursor, wait: 10 });
      await weather.inbox.read({ cursor: next_cursor });
      return planner.wires.get({ id: order.id });
    },
    outcome: ({ delivery }) => (delivery?.state === "read" ? "✓ read by @weather" : "… not read yet"),
  });
}

async function refusal(sending: PromiseLike<unknown>): Promise<string> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof WireroomError)) throw error;
    const { message, reasons } = explain(error, plain);
    return reasons.at(-1)?.trim() ?? message.split(";")[0]!;
  }
  throw new Error("the service accepted what it should have refused");
}
