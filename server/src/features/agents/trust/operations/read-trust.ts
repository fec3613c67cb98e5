import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { startTrustConfig } from "../../../../kernel/trust/index.ts";
import { integerIn } from "../../definitions/schemas.ts";
import { findAgent, seenAgent } from "../../definitions/store.ts";
import { noVersion } from "../../errors.ts";
import { AgentName, AgentTrust } from "../../schemas.ts";
import { findAskedVersion } from "../../versions/store.ts";
import { exampleTrust } from "../example.ts";
import { evidenceFacts } from "../facts.ts";
import { listDays } from "../store.ts";
import { dateOf, dayMs, dayOf, historyOf, overall, reliabilityView, skillView } from "../view.ts";

const Query = Type.Object(
  {
    version: Type.Optional(
      integerIn(1, 999_999_999, "The version by its number; else the one that is live, else the newest."),
    ),
    days: Type.Optional(integerIn(1, 90, "How many days of history, today included. Default 30.")),
  },
  closed,
);

export const readTrust = defineRead({
  id: "agents.readTrust",
  path: "/v1/agents/{agent}/trust",
  listed: true,
  summary: "Read why an agent's trust score is what it is",
  description:
    "The score of a version in the environment of the key, before anything is known of a task: the mean over its skills and for each its parts, the labels behind it, the fitted maps " +
    "from which every score can be recomputed, what would raise it, what it cannot show, its history, and how reliable such scores have been. New labels count some two seconds later.",
  params: Type.Object({ agent: AgentName }),
  query: Query,
  output: AgentTrust,
  example: { params: { agent: "sales" }, output: exampleTrust },
  permission: "agents:read",
  load: (ctx, { agent }) => findAgent(ctx, agent),
  compliance: governs("agent.read", seenAgent),
  audit: ({ params }) => `agent:${params.agent}`,
  errors: [noVersion],
  async handle(ctx, { loaded: { name: agent }, query: { version, days = 30 } }) {
    const record = await findAskedVersion(ctx, agent, version);
    const facts = ctx.facts.get(evidenceFacts);
    const names = record.definition.skills.map(({ name }) => name);
    const skills = names.map((skill) => skillView(skill, facts.of(ctx.scope, record.id, skill), ctx.now));
    const shown = skills.map((trust) => ({
      skill: trust.skill,
      firstVersion: facts.firstOf(ctx.scope, record.id, trust.skill),
      trust,
    }));
    const from = Math.max(dayOf(ctx.now) - (days - 1) * dayMs, dayOf(record.created_at.getTime()));
    const won = await listDays(ctx, agent, [...new Set(shown.map(({ firstVersion }) => firstVersion))], dateOf(from));
    const held = names.flatMap((skill) => facts.reliability(ctx.scope, agent, skill));
    return {
      agent,
      version: record.number,
      version_id: record.id,
      live: record.deployed,
      ...overall(skills),
      formula: startTrustConfig.version,
      as_of: timestamp(ctx.now),
      skills,
      history: historyOf(shown, won, { from, now: ctx.now }),
      reliability: reliabilityView(
        held,
        skills.map(({ labels }) => labels),
      ),
    };
  },
});
