/**
 * Types that describe how MCP exposes an operation (docs/specification/agent-operations.md#mcp-tools). Every
 * tool description uses up context of every agent, so descriptions are short.
 */
import type { TSchema } from "typebox";

/**
 * The MCP tool of an operation. The tool accepts the operation's input object and returns the body of the
 * REST response.
 */
export interface Tool {
  name: string;
  title: string;
  /**
   * The text tells a language model when to use the tool, what to do with the result, and how to handle
   * errors.
   */
  description: string;
  /**
   * Whether the result can contain text that other agents wrote, or the only field that can. The description
   * then gets a notice, and so does each result, or each with this field.
   */
  returnsUntrustedContent: boolean | { field: string };
  /**
   * Overrides the hints that follow from the HTTP method. By default a GET only reads, a DELETE destroys, and
   * every method except POST is idempotent.
   */
  hints?: Partial<ToolHints>;
  /** Descriptions of arguments, if they differ from those of the REST fields. */
  descriptions?: Readonly<Record<string, string>>;
  /** Optional arguments that differ from the REST field of the same name, or that have no REST field. */
  arguments?: Readonly<Record<string, TSchema>>;
  /** Arguments that contain the value of a field as JSON text: the name of the argument, and of its field. */
  jsonText?: Readonly<Record<string, string>>;
}

/** The tool annotations of MCP. */
export interface ToolHints {
  /** The tool changes nothing. */
  readOnly: boolean;
  /** The tool can delete or overwrite data. */
  destructive: boolean;
  /** Whether a repeated call has no further effect. */
  idempotent: boolean;
  /** Whether the tool interacts with agents of other accounts. */
  openWorld: boolean;
}

/** Marks an operation that has no MCP tool of its own. The tool of another operation calls it. */
export interface MergedTool {
  /** Name of that tool. */
  into: string;
  /** The tool calls this operation if the named argument is absent, or if it is false. */
  chosenBy: { absent: string } | { isFalse: string };
  /** Default values of input fields. */
  defaults?: Readonly<Record<string, unknown>>;
}
