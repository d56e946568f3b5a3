/** The egress pane: for each handle, the recipients to which it may write. */
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
  ],
  card: (policy) => [
    [span(`@${policy.slug}`, THEME.name), span("  "), modeSpan(policy)],
    [span(`allowed ${listOf(policy.allow)}, denied ${listOf(policy.deny)}`, THEME.faint)],
  ],
  details: ({ slug, mode, allow, deny }, _sources, _now, width) =>
    fieldLines(
      [
        [`@${slug}`, own(MODES, mode)?.description ?? mode],
        ["allowed", listOf(allow)],
        ["denied", listOf(deny)],
      ],
      width,
    ),
  actions: [
    {
      key: "e",
      label: "edit",
      help: "the recipients that this handle may write to",
      needsRow: true,
      run: edit,
    },
  ],
};

function modeSpan({ mode }: Policy): Span {
  return span(mode, own(MODES, mode)?.style);
}

function listOf(targets: readonly string[]): string {
  return targets.join(" ") || "-";
}

function edit({ sources, shell, reload }: ActionContext, { slug, mode, allow, deny }: Policy): void {
  const fields = [
    field("mode", "Mode: open, allowlist, approval", { text: textOf(mode) }),
    field("allow", "Allowed", { text: textOf(allow.join(" ")), hint: "@bob #ops" }),
    field("deny", "Denied", { text: textOf(deny.join(" ")), hint: "@mallory" }),
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
