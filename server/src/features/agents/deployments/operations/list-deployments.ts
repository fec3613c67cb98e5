import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { findAgent, seenAgent } from "../../definitions/store.ts";
import { exampleDeployment } from "../../example.ts";
import { AgentName, Deployment, DeploymentState } from "../../schemas.ts";
import { countTasks, type DeploymentRow, listDeployments as readPage, type TaskCounts } from "../store.ts";
import { deploymentView, isRunning } from "../view.ts";

type Counted = DeploymentRow & { counts: TaskCounts | null };

export const listDeployments = defineList({
  id: "agents.listDeployments",
  path: "/v1/agents/{agent}/deployments",
  listed: true,
  summary: "List deployments",
  description:
    "Present and past deployments in the environment of the key, canaries included, newest first; with task counts of those that run.",
  params: Type.Object({ agent: AgentName }),
  filters: {
    state: commaList(DeploymentState, "States"),
  },
  item: Deployment,
  example: { params: { agent: "sales" }, item: exampleDeployment },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  async read(ctx, { state }, page, { name }) {
    const withCounts = async (row: DeploymentRow): Promise<Counted> => ({
      ...row,
      counts: isRunning(row) ? await countTasks(ctx, name, row.version_number) : null,
    });
    return Promise.all((await readPage(ctx, name, state, page)).map(withCounts));
  },
  position: ({ id }) => id,
  view: (row, ctx) => deploymentView(row, ctx.scope.environment, ctx.now, row.counts),
});
