/** Texts of the forms for wires, JSON and posting rules. */
export const editor = {
  noJson: (reason: string) => `This is not JSON: ${reason}`,
  text: "Text",
  payload: "Payload",
  payloadLabel: "Payload, as JSON",
  accepted: "It must match one of these schemas:",
  send: (as: string) => `Send as ${as}`,
  sent: "Sent.",
  held: "Held: this wire waits for your approval.",
  allowText: "Text is accepted",
  votable: "Wires can be voted on",
  schemas: "Accepted schemas",
  schemasHint:
    "Refs such as @alice/price-quote@2, with commas between them. A payload must match one of them. Without any, every payload is accepted.",
  inline: "Schema of this rule alone",
  inlineLabel: "JSON Schema",
  inlineHint: "It is accepted in addition to the schemas above.",
};
