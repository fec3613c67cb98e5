import { Type } from "typebox";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { startTrustConfig } from "../../../kernel/trust/index.ts";
import { evidenceFacts } from "../evidence-facts.ts";
import { agentFacts } from "../facts.ts";
import { AgentName, AgentTrust } from "../schemas.ts";
import { type AgentRow, findAgent } from "../store.ts";
import { noVersion } from "../trust-errors.ts";
import { exampleTrust } from "../trust-example.ts";
import {
  calibrationView,
  dateOf,
  dayMs,
  dayOf,
  historyOf,
  pooled,
  reliabilityView,
  reliabilityWindowMs,
  type ScoredSkill,
  scoreOf,
  skillView,
} from "../trust-model.ts";
import { findCalibration, listDays, sumBins } from "../trust-store.ts";
import { findNewestVersion, findVersionRecord, type WholeVersion } from "../version-store.ts";

const Query = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 999_999_999,
        description: "The version by its number; else the one that is live, else the newest.",
      }),
    ),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: "How many days of history, today included. Default 30." })),
  },
  { additionalProperties: false },
);

export const readTrust = defineRead({
  id: "agents.readTrust",
  method: "GET",
  path: "/v1/agents/{agent}/trust",
  status: 200,
  listed: true,
  summary: "Read why an agent's trust score is what it is",
  description:
    "The score of a version in the environment of the key, before anything is known of a task: over all skills together and for each, with its parts, the evidence that it stands on, its " +
    "history, what would raise it, and how well such scores have said what happened. New evidence is in it some two seconds later.",
  params: Type.Object({ agent: AgentName }),
  query: Query,
  output: AgentTrust,
  example: { params: { agent: "sales" }, output: exampleTrust },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  gate: exempt("reads, makes no agent act"),
  compliance: governs("agent.read", (_ctx, { loaded }: { loaded: AgentRow }) => ({ agent: { name: loaded.name, labels: loaded.labels } })),
  audit: ({ params }) => ({ object: `agent:${params.agent}` }),
  emits: [],
  errors: [noVersion],
  async handle(ctx, { loaded: { name: agent }, query: { version, days = 30 } }) {
    const record = await versionOf(ctx, agent, version);
    const skills = scoredSkills(ctx, record);
    const from = Math.max(dayOf(ctx.now) - (days - 1) * dayMs, dayOf(record.created_at.getTime()));
    const versions = [...new Set(skills.flatMap(({ heritage }) => heritage.map(({ versionId }) => versionId)))];
    const [won, bins, { row, labels }] = await Promise.all([
      listDays(ctx, versions, dateOf(from), startTrustConfig.half_life_days),
      sumBins(ctx, agent, new Date(ctx.now - reliabilityWindowMs)),
      findCalibration(ctx, agent),
    ]);
    const calibration = ctx.facts.get(evidenceFacts).calibration(ctx.scope, record.id);
    const { score, low, high } = scoreOf(pooled(skills.map(({ evidence }) => evidence)), calibration, ctx.now);
    return {
      agent, version: record.number, version_id: record.id, live: record.deployed, score, low, high,
      formula: startTrustConfig.version, as_of: timestamp(ctx.now),
      skills: skills.map((skill) => skillView(skill, won, calibration, ctx.now)),
      history: historyOf(skills, won, calibration, { from, now: ctx.now }),
      reliability: reliabilityView(bins),
      calibration: calibrationView(row, labels),
    }; // biome-ignore format: one answer
  },
});

/** The skills of a version, with the evidence that counts for each in the call's environment. */
function scoredSkills(ctx: ReadContext, { id, definition }: WholeVersion): ScoredSkill[] {
  const facts = ctx.facts.get(evidenceFacts);
  return definition.skills.map(({ name: skill }) => ({
    skill,
    evidence: facts.of(ctx.scope, id, skill),
    heritage: facts.heritage(ctx.scope, id, skill),
  }));
}

/** The version that is asked for, else the one that is live here, else the newest. */
async function versionOf(ctx: ReadContext, agent: string, asked: number | undefined): Promise<WholeVersion> {
  const number = asked ?? ctx.facts.get(agentFacts).find(ctx.scope, agent)?.live?.number;
  const record = number === undefined ? await findNewestVersion(ctx, agent) : await findVersionRecord(ctx, agent, number);
  if (!record) throw refuse(noVersion, asked === undefined ? `${agent} has no version yet.` : `${agent} has no version ${asked}.`);
  return record;
}
