/** Whom each handle may write to. */
import type { EgressPolicy, EgressUpdateInput } from "../../../../sdk/src/index.js";
import { Failure } from "../../../failure.js";
import { field, fieldValue } from "../../kit/form.js";
import { type Style, span } from "../../kit/spans.js";
import { textOf } from "../../kit/text-buffer.js";
import { THEME } from "../../kit/theme.js";
import { fieldLines } from "../fields.js";
import type { Desk, Pane } from "../pane.js";

interface Policy extends EgressPolicy {
  slug: string;
}

const MODES: Readonly<Record<EgressPolicy["mode"], { words: string; style: Style }>> = {
  open: { words: "may write to everyone but who is denied", style: THEME.good },
  allowlist: { words: "may write to who is allowed, and to nobody else", style: THEME.warning },
  approval: {
    words: "may write to who is allowed; what goes to others waits for your approval",
    style: THEME.knock,
  },
};

export const egressPane: Pane<Policy> = {
  id: "egress",
  title: "Egress",
  idOf: ({ slug }) => slug,
  none: "No handles yet, so there is nothing to set.",
  async load({ human }, signal) {
    const { handles } = await human.handles.list({ signal });
    return Promise.all(
      handles.map(async ({ slug }) => ({ slug, ...(await human.egress.get({ slug }, { signal })) })),
    );
  },
  columns: () => [
    { title: "handle", cell: ({ slug }) => span(`@${slug}`, THEME.name) },
    { title: "mode", cell: ({ mode }) => span(mode, MODES[mode].style) },
    { title: "allowed", cell: ({ allow }) => span(allow.join(" ") || "-"), flexible: true },
    { title: "denied", cell: ({ deny }) => span(deny.join(" ") || "-"), flexible: true },
  ],
  detail: ({ slug, mode, allow, deny }, _sources, _now, width) =>
    fieldLines(
      [
        [`@${slug}`, MODES[mode].words],
        ["allowed", allow.join(" ") || "-"],
        ["denied", deny.join(" ") || "-"],
      ],
      width,
    ),
  actions: [{ key: "e", does: "edit", more: "whom this handle may write to", needsRow: true, run: edit }],
};

function edit(desk: Desk, { slug, mode, allow, deny }: Policy): void {
  const fields = [
    field("mode", "Mode: open, allowlist or approval", { text: textOf(mode) }),
    field("allow", "Allowed", { text: textOf(allow.join(" ")), hint: "@bob #ops" }),
    field("deny", "Denied", { text: textOf(deny.join(" ")), hint: "@mallory" }),
  ];
  desk.fill({ title: `Whom @${slug} may write to`, fields, focus: 0 }, async (form) => {
    const targets = (name: string) =>
      fieldValue(form, name)
        .split(/[\s,]+/)
        .filter(Boolean);
    const policy = {
      slug,
      mode: modeOf(fieldValue(form, "mode").trim()),
      allow: targets("allow"),
      deny: targets("deny"),
    };
    await desk.sources.human.egress.update(policy);
    desk.say(`@${slug} ${MODES[policy.mode].words}`, "good");
    desk.reload("egress", "audit");
  });
}

function modeOf(text: string): NonNullable<EgressUpdateInput["mode"]> {
  if (Object.hasOwn(MODES, text)) return text as EgressPolicy["mode"];
  throw new Failure("USAGE", `the mode is one of ${Object.keys(MODES).join(", ")}`);
}
