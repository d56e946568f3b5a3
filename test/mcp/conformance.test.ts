/**
 * Runs all server scenarios of the MCP conformance suite. The daemon offers the fixtures of the suite in
 * place of its own tools, resources and prompts.
 */
import { describe, expect, it } from "vitest";
import { failuresByScenario, runConformance, type Suite } from "../harness/conformance.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice } = await hostedFixture(["alice"], {
  mcpCatalog: new URL("../harness/conformance-catalog.mjs", import.meta.url),
});

/**
 * The reasons why a scenario may fail: sentences of the specification that leave its subject to the server.
 */
const OPTIONAL = {
  // 2025-11-25, basic/lifecycle
  capability:
    "Client and server capabilities establish which optional protocol features will be available during the session.",
  // 2025-11-25, server/utilities/logging
  logging: "Servers that emit log message notifications MUST declare the `logging` capability.",
  // 2025-11-25, basic/utilities/progress; 2026-07-28 says the same of the server
  progress: "The receiver MAY then send progress notifications.",
  // 2025-11-25, server/resources
  subscribe: "Both `subscribe` and `listChanged` are optional—servers can support neither, either, or both.",
  // 2026-07-28, basic/patterns/mrtr
  input: "Servers MAY respond to any supported client request with an `InputRequiredResult`.",
  // 2026-07-28, basic/transports/streamable-http
  headers: "MCP servers MAY designate specific tool parameters to be mirrored into HTTP headers.",
};

/** The server requests nothing from the client, and pushes nothing. */
const WITH_HANDSHAKE = {
  "logging-set-level": OPTIONAL.logging,
  "tools-call-with-logging": OPTIONAL.logging,
  "tools-call-with-progress": OPTIONAL.progress,
  "tools-call-sampling": OPTIONAL.capability,
  "tools-call-elicitation": OPTIONAL.capability,
  "elicitation-sep1034-defaults": OPTIONAL.capability,
  "elicitation-sep1330-enums": OPTIONAL.capability,
  "resources-subscribe": OPTIONAL.subscribe,
  "resources-unsubscribe": OPTIONAL.subscribe,
};

const WITHOUT_HANDSHAKE = {
  "tools-call-with-progress": OPTIONAL.progress,
  "http-custom-header-server-validation": OPTIONAL.headers,
  ...Object.fromEntries(
    [
      ...[
        "basic-elicitation",
        "basic-sampling",
        "basic-list-roots",
        "request-state",
        "multiple-input-requests",
      ],
      ...["multi-round", "non-tool-request", "result-type", "tampered-state", "capability-check"],
    ].map((name) => [`input-required-result-${name}`, OPTIONAL.input]),
  ),
};

describe("the MCP conformance suite", () => {
  // [D8-mcp-conformance]
  it.concurrent.each<[Suite, string[], Record<string, string>, number]>([
    ["@modelcontextprotocol/conformance", [], WITH_HANDSHAKE, 32],
    ["conformance-alpha", ["--spec-version", "2025-11-25"], WITH_HANDSHAKE, 33],
    ["conformance-alpha", ["--spec-version", "2026-07-28"], WITHOUT_HANDSHAKE, 40],
  ])("%s %j passes, but for what is optional", async (suite, args, exceptions, scenarios) => {
    const failures = failuresByScenario(
      await runConformance(suite, daemon, alice, ["--suite", "all", ...args]),
    );
    const failed = [...failures].filter(([, count]) => count > 0).map(([name]) => name);
    expect(failed.sort()).toEqual(Object.keys(exceptions).sort());
    expect(failures.size).toBe(scenarios);
  });
});
