import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { type KnownTeam, membersOf, teamFacts } from "../../../admin/public.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { type ConversationRow, conversationJson, findConversation } from "../../conversations/store.ts";
import { exampleConversation } from "../../example.ts";
import { TakeOver } from "../../schemas.ts";
import { exampleTakeOver } from "../example.ts";
import { listNotes } from "../notes-store.ts";
import { mayAnswer } from "../rules.ts";
import { filledReply } from "../saved-replies.ts";
import { handoffView } from "../view.ts";

export const readHandoff = defineRead({
  id: "chat.readHandoff",
  path: "/v1/chat/conversations/{conversation}/handoff",
  summary: "Read what helps the person who takes over",
  description:
    "Why and since when people are asked, the summary, the private notes of those who answer, and the saved replies of the team with their placeholders filled in.",
  params: ConversationParams,
  output: TakeOver,
  example: { params: { conversation: exampleConversation.conversation_id }, output: exampleTakeOver },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  compliance: governs("chat.read", conversationRead),
  audit: aboutConversation,
  async handle(ctx, { loaded }): Promise<TakeOver> {
    const handoff = handoffView(ctx, loaded);
    return {
      conversation_id: loaded.id,
      handoff,
      notes: mayAnswer(ctx.principal) ? await listNotes(ctx, loaded.id) : [],
      saved_replies: await repliesFor(ctx, loaded, handoff?.team ?? null),
    };
  },
});

async function repliesFor(ctx: ReadContext, row: ConversationRow, name: string | null) {
  const known = ctx.facts.get(teamFacts);
  const own = name === null ? (ctx.principal.teams ?? []) : [name];
  const teams = own.map((one) => known.find(ctx.scope, one)).filter((team): team is KnownTeam => team !== undefined);
  if (teams.length === 0) return [];
  const { id } = ctx.principal;
  const me = (await membersOf(ctx, [id])).get(id)?.name ?? "";
  const context = conversationJson(row, "context");
  return teams.flatMap(({ title, saved_replies }) =>
    saved_replies.map((reply) =>
      filledReply(reply, { user: row.end_user, me, team: title, conversation: row.title ?? row.id, context }),
    ),
  );
}
