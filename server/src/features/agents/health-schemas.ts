import { type Static, Type } from "typebox";
import { nullable } from "../../kernel/schema-words.ts";
import { AgentName } from "./definition.ts";

// A part of schemas.ts, which it does not import.

export const healthChecks = ["deployment", "gate", "holds", "model", "tools", "knowledge", "budgets"] as const;

export const HealthCheck = Type.Object({
  check: Type.Enum(healthChecks),
  subject: nullable(Type.String(), "The tool, connection, knowledge base or budget it is about; null: the agent."),
  state: Type.Enum(["ok", "warning", "failed"] as const, {
    description:
      "`warning`: tasks run, but wait for people, may fail, or use what is out of date. `failed`: tasks do not run, or a part of the agent does not work.",
  }),
  detail: Type.String(),
  remedy: nullable(Type.String(), "What to do; null where nothing is wrong."),
});
export type HealthCheck = Static<typeof HealthCheck>;

export const AgentHealth = Type.Object(
  {
    agent: AgentName,
    environment: Type.String(),
    version: nullable(Type.Integer(), "The live version; null where none is."),
    ready: Type.Boolean({ description: "Whether a task that is dispatched now runs: no check failed." }),
    state: Type.Enum(["ready", "degraded", "not_ready"] as const, { description: "The worst of its checks." }),
    checks: Type.Array(HealthCheck),
  },
  { description: "Whether an agent can work in the environment of the key, and what to mend." },
);
export type AgentHealth = Static<typeof AgentHealth>;
