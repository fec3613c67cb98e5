import { noticeTexts } from "@aos/user-texts";
import { all, select } from "../../../../db/scoped.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { teamFacts } from "../../../admin/public.ts";
import { memberRows } from "../../../admin/shared-rows.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { taskCancelled } from "../../../tasks/public.ts";
import { languageIn } from "../../conversations/language.ts";
import { addNotice, publishConversation } from "../../conversations/notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";
import { endUserHandoffFaults } from "../../conversations/token-rules.ts";
import { seenBy } from "../../conversations/view.ts";
import { nobody } from "../../conversations/writers.ts";
import { conversationIsClosed } from "../../errors.ts";
import { handoffAssigned, handoffRequested, messageCompleted } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, HandoffBody } from "../../schemas.ts";
import { type ConversationLocked, lockOpenConversation } from "../../turns/control.ts";
import { changeConversation, stopAnswers } from "../effects.ts";
import { requestPeople } from "../request.ts";
import { teamAnswers } from "../rules.ts";
import { endHandovers } from "../store.ts";
import { waitingText } from "../texts.ts";

type Given = { readonly body: HandoffBody; readonly loaded: ConversationRow };

export const handoffConversation = defineOperation({
  id: "chat.handoffConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/handoff",
  listed: true,
  summary: "Hand a conversation to a person or to another agent",
  description:
    "To a person: it waits, with a summary of what happened, until somebody takes it (`POST …/take`, or by answering); until then the agent goes on, unless a `team` was named: " +
    "then it waits in the team's queue, the customer learns so, or when the team opens, and the agent does not answer until it is returned. " +
    "To another agent: that one answers from the next message on. `POST …/return` hands it back to the agent.",
  params: ConversationParams,
  body: HandoffBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { to: "person", reason: "The customer asks for a person." },
    output: exampleConversation,
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  narrowing: byBody("the agent in the body, and that of the conversation", (_ctx, { body, loaded }: Given) =>
    body.agent === undefined ? [loaded.agent] : [loaded.agent, body.agent],
  ),
  validate: (ctx, { body }) => endUserHandoffFaults(ctx.principal, body),
  gate: exempt("passed at each message"),
  decides: "message",
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  emits: [handoffRequested, handoffAssigned, messageCompleted, taskCancelled],
  errors: [conversationIsClosed, conflict, invalidBody],
  async handle(ctx, { loaded, body }) {
    await refuseUnknown(ctx, body);
    const row = await lockOpenConversation(ctx, loaded.id);
    if (ctx.principal.chat && row.handler !== null)
      throw refuse(conflict, "A person answers in this conversation already.");
    if (ctx.principal.chat && teamAnswers(row)) throw refuse(conflict, "The conversation waits for a person already.");
    if ((body.running ?? "stop") === "stop") await stopAnswers(ctx, row, "The conversation was handed on.");
    await (body.to === "agent" ? toAgent(ctx, loaded, body) : toPerson(ctx, row, body));
    return seenBy(ctx.principal, await publishConversation(ctx, loaded.id));
  },
});

async function refuseUnknown(ctx: WriteContext, { to, agent, member, team }: HandoffBody): Promise<void> {
  const fault = (pointer: string, code: string, detail: string) =>
    refuse(invalidBody, `${pointer} ${detail}`, { errors: [{ pointer, code, detail }] });
  if (to === "agent") {
    if (team !== undefined) throw fault("/team", "not_of_agents", "belongs to a hand-off to people; leave it out");
    if (agent === undefined) throw fault("/agent", "required", "names the agent that takes over; give it");
    const known = findKnownAgent(ctx, agent);
    if (known?.live && !known.archived) return;
    throw fault("/agent", "unknown_agent", `names ${agent}, which is not deployed in ${ctx.scope.environment}`);
  }
  if (agent !== undefined) throw fault("/agent", "not_of_persons", "belongs to a hand-off to an agent; leave it out");
  if (team !== undefined && !ctx.facts.get(teamFacts).find(ctx.scope, team))
    throw fault("/team", "unknown_team", `names ${team}, which is no team here; GET /v1/admin/teams lists them`);
  if (member === undefined) return;
  const query = select(ctx, memberRows, "m").select("m.id").where("m.id", "=", member).where("m.kind", "=", "person");
  if ((await all(ctx, query.where("m.removed_at", "is", null))).length > 0) return;
  throw fault("/member", "unknown_member", `names ${member}, who is no member; GET /v1/admin/members lists them`);
}

async function toAgent(ctx: WriteContext, row: ConversationRow, { agent }: HandoffBody): Promise<void> {
  await endHandovers(ctx, row.id);
  await changeConversation(ctx, row.id, {
    agent: agent as string,
    version_id: null,
    version_number: null,
    disclosed_at: null,
    handler: null,
    handler_since: null,
    handoff: null,
  });
  const text = noticeTexts[await languageIn(ctx, row)].otherAgent;
  await addNotice(ctx, row.id, { code: "handoff", text, writers: nobody });
}

async function toPerson(
  ctx: WriteContext,
  row: ConversationLocked,
  { member, team: name, reason }: HandoffBody,
): Promise<void> {
  const asked = name ?? (ctx.principal.chat ? teamForUsers(ctx, row.agent) : undefined);
  const team = (asked !== undefined && ctx.facts.get(teamFacts).find(ctx.scope, asked)) || null;
  await requestPeople(ctx, row, { team, member: member ?? null, cause: "caller", reason, by: ctx.principal.id });
  const text = team ? await waitingText(ctx, team, row) : noticeTexts[await languageIn(ctx, row)].personAsked;
  await addNotice(ctx, row.id, { code: "handoff", text, writers: nobody });
}

/** Users choose no team: the one that the agent's file has for those who ask for a person. */
const teamForUsers = (ctx: WriteContext, agent: string): string | undefined =>
  findKnownAgent(ctx, agent)?.live?.definition.handoff?.rules?.find(({ when }) => when === "asked")?.team;
