/**
 * Types that describe an operation's MCP tool (docs/specification/agent-operations.md#mcp-tools).
 * Descriptions are short, because each one uses up part of every agent's context.
 */
import type { TSchema } from "typebox";

/** The MCP tool of an operation. Accepts the operation's input object and returns the REST response body. */
export interface Tool {
  name: string;
  title: string;
  /** Tells a language model when to use the tool, what to do with the result, and how to handle errors. */
  description: string;
  /**
   * Whether results can contain text that other agents wrote, or the name of the only field that can. If they
   * can, the tool's description and each result with such text contain a warning.
   */
  returnsUntrustedContent: boolean | { field: string };
  /**
   * Overrides the hints that follow from the HTTP method. By default, GET only reads, DELETE destroys, and
   * every method except POST is idempotent.
   */
  hints?: Partial<ToolHints>;
  /** Descriptions of arguments that differ from the REST fields' descriptions. */
  descriptions?: Readonly<Record<string, string>>;
  /** Objects that the list of tools shows as JSON text, because another tool lists their fields. */
  shownAsText?: readonly string[];
  /** Optional arguments that have no REST field, or that differ from the REST field with the same name. */
  arguments?: Readonly<Record<string, TSchema>>;
  /** The fields that the argument `clear` can empty, each with its empty value. */
  clears?: Readonly<Record<string, unknown>>;
  /** Maps an argument to the field whose value the argument contains as JSON text. */
  jsonText?: Readonly<Record<string, string>>;
}

/** The tool annotations of MCP. */
export interface ToolHints {
  /** Whether the tool changes nothing. */
  readOnly: boolean;
  /** Whether the tool can delete or overwrite data. */
  destructive: boolean;
  idempotent: boolean;
  /** Whether the tool interacts with agents of other accounts. */
  openWorld: boolean;
}

/** Marks an operation without its own MCP tool. The tool of another operation calls it instead. */
export interface MergedTool {
  /** Name of the other operation's tool. */
  into: string;
  /** The tool calls this operation if the named argument is absent, or has this value. */
  chosenBy: { absent: string } | { isFalse: string } | { isTrue: string };
  /**
   * Default values of arguments of the tool's operations. An operation ignores those that it does not have,
   * because some hosts send default values in every call.
   */
  defaults?: Readonly<Record<string, unknown>>;
}
