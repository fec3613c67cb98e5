import { Type } from "typebox";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { type KnownTeam, teamFacts, teamNamePattern } from "../../../admin/public.ts";
import { Queue } from "../../schemas.ts";
import { exampleQueue } from "../example.ts";
import { countQueues, listQueue, queueView } from "../queue-store.ts";

export const readQueue = defineRead({
  id: "chat.readQueue",
  path: "/v1/chat/queues/{team}",
  summary: "Read the queue of a team",
  description: "Conversations that wait for the team, since when and why, and those in which its people answer.",
  params: Type.Object({ team: Type.String({ pattern: teamNamePattern, description: "The team, by name." }) }),
  output: Queue,
  example: { params: { team: exampleQueue.team }, output: exampleQueue },
  permission: "chat:read",
  load: (ctx, { team }) => ctx.facts.get(teamFacts).find(ctx.scope, team),
  narrowing: whole("shows conversations with the key's agents alone"),
  compliance: governs("chat.read"),
  audit: ({ params }) => `queue:${params.team}`,
  async handle(ctx, { loaded }: { loaded: KnownTeam }): Promise<Queue> {
    const counts = await countQueues(ctx);
    return { ...queueView(ctx, loaded, counts.get(loaded.name)), conversations: await listQueue(ctx, loaded.name) };
  },
});
