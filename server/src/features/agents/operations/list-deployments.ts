import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { deploymentView } from "../deployment-model.ts";
import { countTasks, type DeploymentRow, listDeployments as readPage, type TaskCounts } from "../deployment-store.ts";
import { exampleDeployment } from "../example.ts";
import { AgentName, Deployment, DeploymentState } from "../schemas.ts";
import { type AgentRow, findAgent } from "../store.ts";

type Counted = DeploymentRow & { counts: TaskCounts | null };

export const listDeployments = defineRead({
  id: "agents.listDeployments",
  path: "/v1/agents/{agent}/deployments",
  listed: true,
  summary: "List what runs where",
  description:
    "The versions that are and were live in the environment of the key, newest first; of the live one, how it does.",
  params: Type.Object({ agent: AgentName }),
  query: listQuery({
    state: Type.Optional(Type.Array(DeploymentState, { description: "States, separated by commas." })),
  }),
  output: pageSchema(Deployment),
  example: { params: { agent: "sales" }, output: { data: [exampleDeployment], has_more: false, next_cursor: null } },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", (_ctx, { loaded }: { loaded: AgentRow }) => ({
    agent: { name: loaded.name, labels: loaded.labels },
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  handle(ctx, { query, loaded: { name } }) {
    const filter = { agent: name, state: query.state };
    const withCounts = async (row: DeploymentRow): Promise<Counted> => ({
      ...row,
      counts: row.state === "live" ? await countTasks(ctx, name, row.version_number) : null,
    });
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: async (page) => Promise.all((await readPage(ctx, name, query.state, page)).map(withCounts)),
      positionOf: (row: Counted) => ({ keys: [], id: row.id }),
      item: (row: Counted) => deploymentView(row, ctx.scope.environment, ctx.now, row.counts),
    });
  },
});
