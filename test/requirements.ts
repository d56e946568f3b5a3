/**
 * Every sentence of the two texts that fixes behaviour, under an id of its own. A test cites the ids that it proves in its
 * name, in brackets: `it("refuses text under allow_text: false [D3-text-denied]")`. An id that no test cites fails, and so
 * does a citation of an id that is not here (requirements.test.ts).
 *
 * `S…` ids are of the specification, `D…` ids of the decisions; the number is the section. `C-…` ids are what
 * is expected of the command line.
 */
import { accountRequirements } from "./requirements/accounts.js";
import { cliRequirements } from "./requirements/cli.js";
import { egressRequirements } from "./requirements/egress.js";
import { mcpRequirements } from "./requirements/mcp.js";
import { operationRequirements } from "./requirements/operations.js";
import { postingRequirements } from "./requirements/posting.js";
import { protocolRequirements } from "./requirements/protocol.js";
import { spaceRequirements } from "./requirements/spaces.js";

export const requirements: Readonly<Record<string, string>> = {
  ...protocolRequirements,
  ...postingRequirements,
  ...operationRequirements,
  ...spaceRequirements,
  ...accountRequirements,
  ...egressRequirements,
  ...mcpRequirements,
  ...cliRequirements,
};
