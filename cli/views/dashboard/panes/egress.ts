/** The pane with each handle's egress policy: its allowed recipients, and whether it may publish. */
import type { EgressPolicy } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { own } from "../../../output/text.js";
import { field } from "../../frame/form.js";
import { textOf } from "../../frame/text-buffer.js";
import { type Style, THEME } from "../../styled-text/spans.js";
import type { Pane } from "../pane.js";

interface Policy extends EgressPolicy {
  slug: string;
}

const MODES: Readonly<Record<EgressPolicy["mode"], { description: string; style: Style }>> = {
  open: { description: "may write to everyone except the denied ones", style: THEME.good },
  allowlist: { description: "may write to the allowed ones only", style: THEME.warning },
  approval: {
    description: "may write to the allowed ones; wires to others wait for your approval",
    style: THEME.knock,
  },
};

export const egressPane: Pane<Policy> = {
  id: "egress",
  title: "Egress",
  emptyText: "No handles yet, so there is no egress policy.",
  idOf: ({ slug }) => slug,
  async load({ human }, signal) {
    const { handles } = await human.handles.list({}, { signal });
    return Promise.all(
      handles.map(async ({ slug }) => ({ slug, ...(await human.egress.get({ slug }, { signal })) })),
    );
  },
  columns: [
    { title: "handle", text: ({ slug }) => `@${slug}`, style: THEME.name },
    { title: "mode", text: ({ mode }) => mode, style: ({ mode }) => own(MODES, mode)?.style },
    { title: "allowed", text: ({ allow }) => listOf(allow), flexible: true, rank: 1 },
    { title: "denied", text: ({ deny }) => listOf(deny), flexible: true, rank: 2 },
    {
      title: "publish",
      text: ({ publish }) => (publish ? "yes" : "no"),
      style: ({ publish }) => (publish ? {} : THEME.warning),
      rank: 3,
    },
  ],
  details: ({ slug, mode, allow, deny, publish }) => [
    [`@${slug}`, own(MODES, mode)?.description ?? mode],
    ["allowed", listOf(allow)],
    ["denied", listOf(deny)],
    [
      "publish",
      publish === false
        ? "may not change what others can read"
        : "may change its profile, schemas, spaces and members",
    ],
  ],
  actions: [
    {
      key: "e",
      label: "edit",
      help: "the recipients that this handle may write to, and whether it may publish",
      form: (policy) => ({
        title: `Egress of @${policy.slug}`,
        verb: "save",
        fields: [
          field("mode", "Mode: open, allowlist, approval", { text: textOf(policy.mode) }),
          field("allow", "Allowed", { text: textOf(policy.allow.join(" ")), hint: "@bob #ops" }),
          field("deny", "Denied", { text: textOf(policy.deny.join(" ")), hint: "@mallory" }),
          field("publish", "Publish: yes, no", { text: textOf(policy.publish ? "yes" : "no") }),
        ],
      }),
      async run({ sources }, { slug, mode, allow, deny, publish }, values) {
        // Send only changed lists, because the others may have changed elsewhere since the form was opened.
        const policy = await sources.human.egress.update({
          slug,
          mode: changed(values.mode!, mode, parsedMode),
          allow: changed(values.allow!, allow.join(" "), parsedTargets),
          deny: changed(values.deny!, deny.join(" "), parsedTargets),
          publish: changed(values.publish!, publish ? "yes" : "no", parsedPublish),
        });
        return `@${slug} ${own(MODES, policy.mode)?.description ?? policy.mode}`;
      },
    },
  ],
};

function listOf(targets: readonly string[]): string {
  return targets.join(" ") || "-";
}

function changed<Value>(text: string, before: string, parse: (text: string) => Value): Value | undefined {
  return text === before ? undefined : parse(text.trim());
}

function parsedTargets(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function parsedMode(text: string): EgressPolicy["mode"] {
  if (Object.hasOwn(MODES, text)) return text as EgressPolicy["mode"];
  throw new Failure("USAGE", `the mode is one of ${Object.keys(MODES).join(", ")}`);
}

function parsedPublish(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new Failure("USAGE", "publish is yes or no");
}
