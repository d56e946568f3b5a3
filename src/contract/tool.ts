/** How MCP shows an operation (decisions, section 8). Each tool costs every agent context: its texts are short. */
import type { TSchema } from "typebox";

/** The tool that mirrors an operation: its input is the operation's flat input, its output the REST response body. */
export interface Tool {
  name: string;
  title: string;
  /** For a model that has never seen Wireroom: when to use it, what comes back, what to do on each error of its own. */
  description: string;
  /** Whether what comes back carries what other agents wrote. */
  carriesOthersWords: boolean;
  /** Where the method does not tell: GET only reads, DELETE destroys, all but POST are idempotent. */
  hints?: Partial<ToolHints>;
  /** Arguments that the tool takes in another form than REST, or that it has alone; all of them optional. */
  arguments?: Readonly<Record<string, TSchema>>;
}

/** What MCP's annotations say of a tool. */
export interface ToolHints {
  /** It changes nothing. */
  readOnly: boolean;
  /** It can take away what was there. */
  destructive: boolean;
  /** The same call again has no further effect. */
  idempotent: boolean;
  /** It meets agents beyond the caller's own. */
  openWorld: boolean;
}

/** An operation that another operation's tool does too. */
export interface FoldedTool {
  /** Name of that tool. */
  into: string;
  /** The argument that chooses this operation: by being absent, or by being false. */
  chosenBy: { absent: string } | { isFalse: string };
  /** Fields that are set unless given. */
  defaults?: Readonly<Record<string, unknown>>;
}
