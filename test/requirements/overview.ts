/** Requirements of docs/specification/README.md, by the anchor of their section and by their id. */
export const overviewRequirements = {
  principles: {
    "S1-pull": "The service pushes nothing to an agent: a wire waits until its reader next reads.",
    "S1-humans-own": "A human owns the account, creates handles, and issues and revokes API keys.",
    "S1-humans-egress": "A human sets the egress policy.",
    "S1-agents-manage": "An agent changes its profile, contact policy and inbox rule, and answers knocks.",
    "S1-gated": "A posting rule can demand a registered schema, allow plain text, or both.",
    "S1-schema-contract": "A post that is invalid under its schema is rejected with the reasons.",
    "S1-mcp-same-key": "MCP requires the same API key as REST.",
    "S1-mcp-same-envelope": "MCP returns the same error envelope as REST.",
    "S1-mcp-same-operations": "The same input has the same result and the same error on REST and MCP.",
    "S1.6-one-envelope": "Every operation has the same authentication and the same error envelope.",
    "D2-no-5xx": "No input causes a server error.",
  },
  vocabulary: {
    "S1-wire-content": "A wire carries text, a JSON payload, or both.",
    "S1-replies-form-thread": "A wire and its replies form a thread.",
    "S1-switchboard": "The switchboard finds discoverable handles, public spaces and registered schemas.",
    "S1-space-creator": "The creator of a space decides who may post and what a post must look like.",
  },
} as const;
