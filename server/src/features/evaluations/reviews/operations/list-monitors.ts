import { Type } from "typebox";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { anyOf } from "../../datasets/store.ts";
import { monitors } from "../resource.ts";

export const listMonitors = monitors.listOperation({
  id: "evaluations.listMonitors",
  summary: "List monitors",
  description: "What draws live tasks for review, with the progress of the queue and the agreement of reviewers.",
  filters: { agent: Type.Optional(Type.String({ description: "Monitors of this agent." })) },
  narrowing: limitedTo("lists monitors of the key's agents"),
  narrow: (query, { ctx: { principal }, filter: { agent } }) =>
    query
      .$if(principal.agents !== null, (q) => q.where("r.agent", "=", anyOf(principal.agents ?? [])))
      .$if(agent !== undefined, (q) => q.where("r.agent", "=", agent ?? "")),
});
