import type { Statements, Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { isOpenAt, teamFacts } from "../../../admin/public.ts";
import { publishConversation } from "../../conversations/notices.ts";
import { findConversation, lockConversation } from "../../conversations/store.ts";
import { handoffAssigned } from "../../events.ts";
import { chooseMember } from "../assign.ts";
import { changeConversation, eventSubject } from "../effects.ts";
import type { StoredHandoff } from "../rules.ts";
import { changeHandovers } from "../store.ts";

type OfConversation = { readonly conversation: string };

export const assignWaiting: InsideOperation<OfConversation, { readonly member: string | null }> = defineInside({
  id: "chat.assignWaiting",
  summary: "Assign a waiting conversation once its team is open",
  permission: exempt("the service itself, as the team's settings say"),
  load: (ctx, { conversation }: OfConversation) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  compliance: exempt("the team's settings say to whom"),
  audit: ({ params }) => `conversation:${params.conversation}`,
  emits: [handoffAssigned],
  async handle(ctx, { params: { conversation } }) {
    const row = await lockConversation(ctx, conversation);
    const handoff = row?.handoff as StoredHandoff | null | undefined;
    const team = handoff?.team ? ctx.facts.get(teamFacts).find(ctx.scope, handoff.team) : undefined;
    if (row?.state !== "open" || row.handler !== null || !handoff || handoff.member !== null || !team)
      return { member: null };
    const member = await chooseMember(ctx, team);
    if (member === null) return { member };
    await changeConversation(ctx, conversation, { handoff: JSON.stringify({ ...handoff, member }) });
    await changeHandovers(ctx, conversation, { member, assigned_at: new Date(ctx.now) });
    await publishConversation(ctx, conversation);
    ctx.emit(handoffAssigned, { ...eventSubject(row), team: team.name, member });
    return { member };
  },
});

/** Of each team. */
const mostTaken = 50;

/** Conversations that came while their team was closed. Those that somebody released stay where members claim them. */
export const assignSweep: Sweep = {
  name: "chat.assignments",
  async run({ db, inside, facts, now }) {
    const teams = facts.get(teamFacts);
    for (const { id, team, ...scope } of await listUnassigned(db)) {
      const known = teams.find(scope, team);
      if (known && known.assignment !== "claim" && known.members.length > 0 && isOpenAt(known.hours, now))
        await inside(assignWaiting, scope, { conversation: id });
    }
  },
};

const listUnassigned = (db: Statements): Promise<(Scope & { id: string; team: string })[]> =>
  db.query(
    `select organization, environment, id, team from (
       select c.organization, c.environment, c.id, h.team,
         row_number() over (partition by h.organization, h.environment, h.team order by h.requested_at) as place
       from chat_handovers h
       join chat_conversations c on c.organization = h.organization and c.environment = h.environment and c.id = h.conversation
     where h.ended_at is null and h.team is not null and h.assigned_at is null and h.member is null
       and c.handler is null and c.state = 'open') waiting
     where place <= ${mostTaken}`,
  );
