/** The egress pane: for each handle, the recipients to which it may write, and whether it may publish. */
import type { EgressPolicy, EgressUpdateInput } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { own } from "../../../output/text.js";
import { field, fieldValue } from "../../kit/form.js";
import { type Span, type Style, span } from "../../kit/text/spans.js";
import { textOf } from "../../kit/text/text-buffer.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { ActionContext, PaneDefinition } from "../pane-definition.js";

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

export const egressPane: PaneDefinition<Policy> = {
  id: "egress",
  title: "Egress",
  idOf: ({ slug }) => slug,
  emptyText: "No handles yet, so there is no egress policy.",
  async load({ human }, signal) {
    const { handles } = await human.handles.list({}, { signal });
    return Promise.all(
      handles.map(async ({ slug }) => ({ slug, ...(await human.egress.get({ slug }, { signal })) })),
    );
  },
  columns: () => [
    { title: "handle", cell: ({ slug }) => span(`@${slug}`, THEME.name) },
    { title: "mode", cell: modeSpan },
    { title: "allowed", cell: ({ allow }) => span(listOf(allow)), flexible: true, dropRank: 1 },
    { title: "denied", cell: ({ deny }) => span(listOf(deny)), flexible: true, dropRank: 2 },
    { title: "publish", cell: publishSpan, dropRank: 3 },
  ],
  card: (policy) => [
    [span(`@${policy.slug}`, THEME.name), span("  "), modeSpan(policy)],
    [
      span(`allowed ${listOf(policy.allow)}, denied ${listOf(policy.deny)}, publish `, THEME.faint),
      publishSpan(policy),
    ],
  ],
  details: ({ slug, mode, allow, deny, publish }, _sources, _now, width) =>
    fieldLines(
      [
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
      width,
    ),
  actions: [
    {
      key: "e",
      label: "edit",
      help: "the recipients that this handle may write to, and whether it may publish",
      needsRow: true,
      run: edit,
    },
  ],
};

function modeSpan({ mode }: Policy): Span {
  return span(mode, own(MODES, mode)?.style);
}

function publishSpan({ publish }: Policy): Span {
  return publish === false ? span("no", THEME.warning) : span("yes", THEME.good);
}

function listOf(targets: readonly string[]): string {
  return targets.join(" ") || "-";
}

function edit({ sources, shell, reload }: ActionContext, { slug, mode, allow, deny, publish }: Policy): void {
  const fields = [
    field("mode", "Mode: open, allowlist, approval", { text: textOf(mode) }),
    field("allow", "Allowed", { text: textOf(allow.join(" ")), hint: "@bob #ops" }),
    field("deny", "Denied", { text: textOf(deny.join(" ")), hint: "@mallory" }),
    field("publish", "Publish: yes, no", { text: textOf(publish ? "yes" : "no") }),
  ];
  shell.openForm(
    { title: `Egress of @${slug}`, fields, focus: 0, verb: "save" },
    {
      async submit(form) {
        const changed = (name: string) => fieldValue(form, name) !== fieldValue({ ...form, fields }, name);
        const targets = (name: string) =>
          fieldValue(form, name)
            .split(/[\s,]+/)
            .filter(Boolean);
        // An unchanged list is not sent, because it may have changed elsewhere since the form was opened.
        const policy = await sources.human.egress.update({
          slug,
          mode: changed("mode") ? parsedMode(fieldValue(form, "mode").trim()) : undefined,
          allow: changed("allow") ? targets("allow") : undefined,
          deny: changed("deny") ? targets("deny") : undefined,
          publish: changed("publish") ? parsedPublish(fieldValue(form, "publish").trim()) : undefined,
        });
        shell.notify(`@${slug} ${own(MODES, policy.mode)?.description ?? policy.mode}`, "good");
        reload("egress", "audit");
      },
    },
  );
}

function parsedMode(text: string): NonNullable<EgressUpdateInput["mode"]> {
  if (Object.hasOwn(MODES, text)) return text as EgressPolicy["mode"];
  throw new Failure("USAGE", `the mode is one of ${Object.keys(MODES).join(", ")}`);
}

function parsedPublish(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new Failure("USAGE", "publish is yes or no");
}
