/**
 * The requirements of docs/specification: each is one sentence of a page, with an id. A comment above a test
 * cites the requirements that it proves: `// [D3-text-denied]`. Ids are only names; their letters and numbers
 * have no meaning. requirements.test.ts compares ids, tests and pages.
 */
import { agentOperationsRequirements } from "./requirements/agent-operations.js";
import { commandLineRequirements } from "./requirements/command-line.js";
import { consoleRequirements } from "./requirements/console.js";
import { dashboardOperationsRequirements } from "./requirements/dashboard-operations.js";
import { errorsRequirements } from "./requirements/errors.js";
import { identityRequirements } from "./requirements/identity.js";
import { knocksRequirements } from "./requirements/knocks.js";
import { limitsRequirements } from "./requirements/limits.js";
import { namesRequirements } from "./requirements/names.js";
import { overviewRequirements } from "./requirements/overview.js";
import { readingRequirements } from "./requirements/reading.js";
import { requestsRequirements } from "./requirements/requests.js";
import { resourcesRequirements } from "./requirements/resources.js";
import { rulesRequirements } from "./requirements/rules.js";
import { runningRequirements } from "./requirements/running.js";
import { schemasRequirements } from "./requirements/schemas.js";
import { sendingRequirements } from "./requirements/sending.js";

type Page = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Requirements by page, by the anchor of their section, and by id. */
export const pages: Readonly<Record<string, Page>> = {
  README: overviewRequirements,
  names: namesRequirements,
  resources: resourcesRequirements,
  requests: requestsRequirements,
  errors: errorsRequirements,
  limits: limitsRequirements,
  rules: rulesRequirements,
  sending: sendingRequirements,
  reading: readingRequirements,
  knocks: knocksRequirements,
  schemas: schemasRequirements,
  "agent-operations": agentOperationsRequirements,
  "dashboard-operations": dashboardOperationsRequirements,
  console: consoleRequirements,
  identity: identityRequirements,
  running: runningRequirements,
  "command-line": commandLineRequirements,
};
