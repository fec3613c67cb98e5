import { all, sql } from "../../db/scoped.ts";
import type { Decider } from "../../kernel/actor.ts";
import { accountablePersons, canSignInPersonally, listRuleChanges } from "../admin/public.ts";
import { adviceFor, type Looking, personsWith, rolesWith } from "./advice.ts";
import { isEscalated, isOpen } from "./model.ts";
import { approvalsOf, barredParties, counts, decidePermission, needsSecondPerson } from "./requests/persons.ts";
import { requesterOfRow } from "./requests/request.ts";
import type { DecidableApproval } from "./requests/store.ts";
import type { ApprovalDetail, Party } from "./schemas.ts";

// Who stands behind an approval, who could still decide it, and which rules anybody changed shortly before.

/** Persons who are named; more are counted. */
const mostNamed = 20;
const day = 86_400_000;

export type Accountability = Pick<ApprovalDetail, "requesters" | "could_decide" | "loosened"> & {
  /** Why too few are left to decide it; null: there are enough, or it is over. */
  readonly tooFew: string | null;
};

export async function accountabilityOf(
  ctx: Looking,
  approval: DecidableApproval,
  strict: boolean,
): Promise<Accountability> {
  const { persons } = requesterOfRow(approval);
  const could = await whoCouldDecide(ctx, approval, strict);
  const until = approval.decided_at?.getTime() ?? ctx.now;
  return {
    requesters: await accountablePersons(ctx, persons),
    could_decide: could,
    loosened: (await listRuleChanges(ctx, [until - day, until], mostNamed)).map(({ text: what, object, by, at }) => ({
      what,
      object,
      by,
      at,
    })),
    tooFew: await whyTooFew(ctx, approval, persons, could.count, strict),
  };
}

/** Persons whose vote would count now, and who have not voted. */
async function whoCouldDecide(
  ctx: Looking,
  approval: DecidableApproval,
  strict: boolean,
): Promise<ApprovalDetail["could_decide"]> {
  if (!isOpen(approval, ctx.now)) return { count: 0, members: [], more: false };
  const voted = approval.votes.filter((vote) => counts(vote, approval, strict)).flatMap((vote) => vote.accountable);
  const handedOn = approval.delegations.flatMap(({ from, accountable }) =>
    needsSecondPerson(approval) ? [from, ...accountable] : [from],
  );
  const out = [...new Set([...barredParties(approval), ...voted, ...handedOn])];
  const deciding = isEscalated(approval, ctx.now) ? ["admin"] : rolesWith(decidePermission);
  const rows = await all(
    ctx,
    personsWith(ctx, deciding)
      .where(sql<boolean>`m.id <> all(${out}::text[])`)
      .$if(strict && needsSecondPerson(approval), (q) => q.where(canSignInPersonally(ctx)))
      .select(["m.id", "m.name", sql<number>`count(*) over ()::int`.as("count")])
      .orderBy("m.name")
      .orderBy("m.id")
      .limit(mostNamed),
  );
  const members: Party[] = rows.map(({ id, name }) => ({ id, name: name ?? id, kind: "person" }));
  const count = rows[0]?.count ?? 0;
  return { count, members, more: count > members.length };
}

/** Why too few persons are left to decide, and what to do. */
async function whyTooFew(
  ctx: Looking,
  approval: DecidableApproval,
  persons: readonly Decider[],
  could: number,
  strict: boolean,
): Promise<string | null> {
  if (!needsSecondPerson(approval) || !isOpen(approval, ctx.now)) return null;
  const missing = approval.approvers - approvalsOf(approval.votes, approval, strict);
  if (could >= missing) return null;
  const { environment } = ctx.scope;
  const wanted = missing === 1 ? "one more approval" : `${missing} more approvals`;
  const left = could === 0 ? "nobody" : could === 1 ? "only one person" : `only ${could} people`;
  const needed = isEscalated(approval, ctx.now) ? "admin" : rolesWith(decidePermission).join(" or ");
  const advice = await adviceFor(ctx, [...persons, ...otherwiseBarred(approval)]);
  const first = `It needs ${wanted}, and ${left} in ${environment} can give it: everybody else who may decide is accountable for it, or cannot sign in personally. Invite somebody, or give another person the role ${needed} there.`;
  return advice === null ? first : `${first} ${advice}`;
}

/** Those barred whom `requesters` does not name: in whose name it is asked, and who edited this round. */
function otherwiseBarred({ requester, edited_by, editor_accountable }: DecidableApproval): Decider[] {
  const editors = edited_by === null ? [] : [edited_by, ...editor_accountable];
  return [
    { id: requester, how: "owner", of: null, at: null },
    ...editors.map((id): Decider => ({ id, how: "edited", of: null, at: null })),
  ];
}
