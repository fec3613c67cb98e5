import { whole } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { teamFacts } from "../../../admin/public.ts";
import { Queues } from "../../schemas.ts";
import { exampleQueueTeam } from "../example.ts";
import { countQueues, queueView } from "../queue-store.ts";

export const listQueues = defineRead({
  id: "chat.listQueues",
  path: "/v1/chat/queues",
  summary: "List the queues of teams",
  description:
    "For each team: whether it is open, how many conversations wait and since when, and how many exceeded a service level.",
  output: Queues,
  example: { output: { data: [exampleQueueTeam] } },
  permission: "chat:read",
  load: exempt("names no object"),
  narrowing: whole("counts conversations with the key's agents alone"),
  compliance: governs("chat.read"),
  audit: "queues",
  async handle(ctx): Promise<Queues> {
    const counts = await countQueues(ctx);
    const teams = ctx.facts.get(teamFacts).all(ctx.scope);
    return { data: teams.map((team) => queueView(ctx, team, counts.get(team.name))) };
  },
});
