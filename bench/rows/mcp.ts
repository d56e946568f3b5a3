/** Compares MCP tool calls with the same operations over REST, on the same daemon. */
import { compare } from "../measure/compare.js";
import { pollers, readers } from "./read.js";
import { call, dms, get, post } from "./requests.js";
import type { Row } from "./row.js";

export const mcpRows: Row[] = [
  {
    name: "mcp-send",
    async run(bench) {
      const server = await bench.daemon(10_000);
      const [overMcp, overRest] = [
        dms().map(({ from, body }) => call(from, "send_wire", body)),
        dms().map(({ from, body }) => post(from, "/wires", body)),
      ];
      return [
        await compare(bench, {
          title: "send_wire over MCP, against POST /wires",
          subject: { name: "MCP", server, requests: overMcp },
          baseline: { name: "REST", server, requests: overRest },
          targets: { throughput: { atLeast: 0.75 } },
        }),
      ];
    },
  },
  {
    name: "mcp-inbox",
    async run(bench) {
      const server = await bench.daemon(10_000);
      const against = (what: string, agents: readonly number[]) =>
        compare(bench, {
          title: `read_inbox over MCP, ${what}, against GET /inbox`,
          subject: { name: "MCP", server, requests: agents.map((agent) => call(agent, "read_inbox", {})) },
          baseline: { name: "REST", server, requests: agents.map((agent) => get(agent, "/inbox")) },
          targets: { throughput: { atLeast: 0.8 } },
        });
      return [await against("50 wires", readers), await against("nothing new", pollers)];
    },
  },
];
