/** Each handle's egress policy: its allowed recipients, and whether it may publish. */
import type { EgressPolicy } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { policyFields, policyText } from "../../output/show/egress.js";
import { own } from "../../output/text.js";
import { field } from "../frame/form.js";
import { textOf } from "../frame/text-buffer.js";
import type { Noun } from "../list-detail/noun.js";
import { type Style, THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

interface Policy extends EgressPolicy {
  slug: string;
}

const MODES: Readonly<Record<EgressPolicy["mode"], Style>> = {
  open: THEME.good,
  allowlist: THEME.warning,
  approval: THEME.knock,
};

export const egressNoun = ({ human }: Sources): Noun<Policy> => ({
  id: "egress",
  title: "Egress",
  emptyText: "No handles yet, so there is no egress policy.",
  idOf: ({ slug }) => slug,
  async load(signal) {
    const { handles } = await human.handles.list({}, { signal });
    return Promise.all(
      handles.map(async ({ slug }) => ({ slug, ...(await human.egress.get({ slug }, { signal })) })),
    );
  },
  columns: [
    { title: "handle", text: ({ slug }) => `@${slug}`, style: THEME.name },
    { title: "mode", text: ({ mode }) => mode, style: ({ mode }) => own(MODES, mode) },
    { title: "allowed", text: ({ allow }) => listOf(allow), flexible: true, rank: 1 },
    { title: "denied", text: ({ deny }) => listOf(deny), flexible: true, rank: 2 },
    {
      title: "publish",
      text: ({ publish }) => (publish ? "yes" : "no"),
      style: ({ publish }) => (publish ? {} : THEME.warning),
      rank: 3,
    },
  ],
  fields: (policy) => policyFields(policy.slug, policy),
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
      async run({ slug, mode, allow, deny, publish }, _view, values) {
        // Send only changed lists, because the others may have changed elsewhere since the form was opened.
        const policy = await human.egress.update({
          slug,
          mode: changed(values.mode!, mode, parsedMode),
          allow: changed(values.allow!, allow.join(" "), parsedTargets),
          deny: changed(values.deny!, deny.join(" "), parsedTargets),
          publish: changed(values.publish!, publish ? "yes" : "no", parsedPublish),
        });
        return `Egress of @${slug}: ${policyText(policy)}`;
      },
    },
  ],
});

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
