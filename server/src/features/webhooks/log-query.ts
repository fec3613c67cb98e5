import { Type } from "typebox";
import { AgentName } from "../agents/schemas.ts";

/** What the event log and its stream can be narrowed to. */
export const logFilters = {
  event: Type.Optional(
    Type.Array(Type.String(), { description: "Events, by name or group (`task.*`), separated by commas." }),
  ),
  agent: Type.Optional(Type.Array(AgentName, { description: "Agents that they concern, separated by commas." })),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only events whose sequence is above this.",
    }),
  ),
};

/** What a page of the log is asked for by. */
export interface LogQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly sort?: string;
  readonly event?: string[];
  readonly agent?: string[];
  readonly after?: number;
  readonly task?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}
