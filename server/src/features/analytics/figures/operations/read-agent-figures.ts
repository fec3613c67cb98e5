import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { lowestId } from "../../../../kernel/ids.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent, findVersion } from "../../../agents/public.ts";
import { agentSeen, countFailures } from "../../../tasks/public.ts";
import { exampleAgentFigures } from "../example.ts";
import { AgentFigures, agentFigureQuery, agentMeasures } from "../schemas.ts";
import { type FigureWindow, figuresOf, headOf, seriesOf, tableOf, windowOf } from "../window.ts";

export const readAgentFigures = defineRead({
  id: "analytics.readAgentFigures",
  path: "/v1/analytics/agents/{agent}",
  listed: true,
  summary: "Read the figures of an agent",
  description:
    "Outcome, cost of an accepted task, how often people edited or overrode, trust and how well it is calibrated, by version and in the environment of the key; and where it fails: skills, and the codes of failures.",
  params: Type.Object({ agent: Type.String({ description: "The agent." }) }),
  query: agentFigureQuery,
  output: AgentFigures,
  example: { params: { agent: "sales" }, output: exampleAgentFigures },
  permission: "analytics:read",
  load: (ctx, { agent }) => findKnownAgent(ctx, agent),
  compliance: governs("analytics.read", (ctx, { params }: { params: { agent: string } }) => ({
    agent: agentSeen(ctx, params.agent),
  })),
  audit: ({ params }) => `agent:${params.agent}`,
  handle: (ctx, { params, query }) => agentFiguresOf(ctx, params.agent, windowOf(ctx, query)),
});

const mostVersions = 50;
const mostSkills = 100;
/** Failed tasks that are looked at. */
const mostFailed = 1_000;

export async function agentFiguresOf(ctx: ReadContext, agent: string, asked: FigureWindow): Promise<AgentFigures> {
  const window = { ...asked, filters: { ...asked.filters, agent: [agent] } };
  const totals = await figuresOf(ctx, window, { measures: agentMeasures });
  const series = await seriesOf(ctx, window, { measures: agentMeasures });
  const measures = [...agentMeasures, "failed"] as const;
  const skills = await tableOf(ctx, window, { measures, dimensions: ["skill"], sort: "-failed", limit: mostSkills });
  return {
    ...headOf(window, totals, series, skills),
    agent,
    figures: totals.figures,
    series: series.points,
    versions: await versionsOf(ctx, agent, window),
    skills: skills.rows,
    failures: await failuresOf(ctx, agent, window),
  };
}

async function versionsOf(ctx: ReadContext, agent: string, window: FigureWindow): Promise<AgentFigures["versions"]> {
  const asked = { measures: agentMeasures, dimensions: ["version"], sort: "-tasks", limit: mostVersions } as const;
  const { rows } = await tableOf(ctx, window, asked);
  const live = findKnownAgent(ctx, agent)?.live?.id;
  const versions = rows.map(async ({ key, figures }) => {
    const id = key.version ?? null;
    const known = id === null || id === "other" ? undefined : await findVersion(ctx, id);
    return {
      version_id: known?.id ?? null,
      version: known?.number ?? null,
      live: known !== undefined && id === live,
      figures: figures as AgentFigures["figures"],
    };
  });
  return (await Promise.all(versions)).sort((a, b) => (b.version ?? 0) - (a.version ?? 0));
}

async function failuresOf(ctx: ReadContext, agent: string, window: FigureWindow): Promise<AgentFigures["failures"]> {
  const [skill, label] = [window.filters.skill?.[0], labelOf(window)];
  const ids = { since: lowestId("tsk", window.from), before: lowestId("tsk", window.to) };
  const codes = await countFailures(ctx, { agent, skill: skill ?? undefined, label }, ids, mostFailed);
  const tasks = codes.reduce((sum, code) => sum + code.tasks, 0);
  return { tasks, more: tasks === mostFailed, codes };
}

function labelOf({ filters }: FigureWindow): string | undefined {
  const [dimension, values] = Object.entries(filters).find(([name]) => name.startsWith("label:")) ?? [];
  return dimension === undefined ? undefined : `${dimension.slice("label:".length)}:${values?.[0]}`;
}
