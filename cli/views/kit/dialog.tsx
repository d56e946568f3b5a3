/** What is laid over a view: questions, forms, help. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { safe } from "../../output/safe.js";
import { wrapped } from "../../output/text.js";
import type { Question, Size } from "./controller.js";
import type { Field, Form } from "./form.js";
import { LinesView } from "./line.js";
import { FRAME, framed } from "./pane.js";
import { fitted, type Line, span } from "./spans.js";
import { shownLines } from "./text-buffer.js";
import { THEME } from "./theme.js";

/** Widest dialog: longer lines are hard to read. */
const WIDEST = 84;

export interface DialogProps {
  size: Size;
  title: string;
  lines: readonly Line[];
}

/** Lines in the middle of the screen, over what is there. */
export function Dialog({ size, title, lines }: DialogProps): ReactNode {
  const width = dialogWidth(size);
  const height = Math.min(lines.length + FRAME.rows, size.rows - 2);
  const left = Math.floor((size.columns - width) / 2);
  const top = Math.max(0, Math.floor((size.rows - height) / 2) - 1);
  return (
    <Box position="absolute" marginLeft={left} marginTop={top}>
      <LinesView lines={framed({ title, width, height, focused: true, lines })} />
    </Box>
  );
}

/** Columns of text in a dialog. */
export function dialogText(size: Size): number {
  return dialogWidth(size) - FRAME.columns;
}

function dialogWidth({ columns }: Size): number {
  return Math.min(WIDEST, columns - 4);
}

/** A question with yes and no. */
export function QuestionView({ question, size }: { question: Question; size: Size }): ReactNode {
  const width = dialogText(size);
  const lines: Line[] = [
    ...paragraphs(question.lines, width),
    [],
    [span("y", THEME.key), span(` ${question.yes}    `), span("n", THEME.key), span(" no, leave it")],
  ];
  return <Dialog size={size} title={question.title} lines={lines} />;
}

/** A form with its fields, and what was wrong with the last try. */
export function FormView({ form, size }: { form: Form; size: Size }): ReactNode {
  const width = dialogText(size);
  const complaint = paragraphs(form.complaint ?? [], width)
    .slice(0, Math.max(1, size.rows - 14))
    .map((line, i) => line.map(({ text }) => span(text, i === 0 ? THEME.bad : {})));
  const room = size.rows - complaint.length - form.fields.length * 2 - 6;
  const lines: Line[] = form.fields.flatMap((each, i) =>
    fieldLines(each, i === form.focus, width, Math.max(1, Math.min(each.multiline ? 6 : 1, room))),
  );
  const keys = form.fields.some(({ multiline }) => multiline) ? " send · Alt-Enter, Ctrl-J" : " send";
  const hint: Line = form.busy
    ? [span("sending …", THEME.faint)]
    : [
        span("Enter", THEME.key),
        span(keys, THEME.faint),
        ...(keys === " send" ? [] : [span(" new line", THEME.faint)]),
        ...(form.fields.length > 1 ? [span("   Tab", THEME.key), span(" next field", THEME.faint)] : []),
        span("   Esc", THEME.key),
        span(" close", THEME.faint),
      ];
  return (
    <Dialog
      size={size}
      title={form.title}
      lines={[...lines, ...complaint, ...(complaint.length ? [[]] : []), hint]}
    />
  );
}

/** Text of others broken into lines. */
export function paragraphs(texts: readonly string[], width: number): Line[] {
  return texts.flatMap((text) => wrapped(safe(text), width)).map((text) => [span(text)]);
}

function fieldLines(
  { label, text, hint, multiline }: Field,
  focused: boolean,
  width: number,
  height: number,
): Line[] {
  const title: Line = [
    span(focused ? "▸ " : "  ", THEME.accent),
    span(label, focused ? { ...THEME.accent, bold: true } : THEME.faint),
  ];
  const shown = shownLines(text, width - 2, height);
  const lines = shown.map(({ before, under, after }): Line => {
    if (!focused || under === undefined) return [span("  "), span(before + (under ?? "") + after)];
    return [span("  "), span(before), span(under, { inverse: true }), span(after)];
  });
  if (text.value === "" && hint) lines[0] = [...(lines[0] ?? []).slice(0, 3), span(hint, THEME.faint)];
  while (multiline && lines.length < Math.min(3, height)) lines.push([]);
  return [title, ...lines, fitted([], width)];
}
