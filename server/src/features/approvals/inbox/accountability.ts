import { all, first, select, sql } from "../../../db/scoped.ts";
import { countsUntilConfirmed, type Decider, idsOf } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import { roles } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import {
  accountablePersons,
  canSignInPersonally,
  confirmableKinds,
  isConfirmed,
  listRuleChanges,
  teamFacts,
} from "../../admin/public.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { isEscalated, isOpen } from "../decisions/rules.ts";
import { barredParties, counts, decidePermission, needsSecondPerson } from "../requests/persons.ts";
import { countedFor } from "../requests/places.ts";
import { requesterOfRow } from "../requests/request.ts";
import { hasRules, missingOf, missingWith, stagesLeft, tokensOf } from "../requests/required.ts";
import { type DecidableApproval, demandOfRow } from "../requests/store.ts";
import type { ApprovalDetail, Party } from "../schemas.ts";

// Who stands behind an approval, who could still decide it, and which rules anybody changed shortly before.

const mostNamed = 20;
const day = 86_400_000;

export type Accountability = Pick<ApprovalDetail, "requesters" | "could_decide" | "loosened"> & {
  /** Why too few are left to decide it; null: there are enough, or it is over. */
  readonly tooFew: string | null;
};

export async function accountabilityOf(
  ctx: AdviceContext,
  approval: DecidableApproval,
  strict: boolean,
): Promise<Accountability> {
  const { persons } = requesterOfRow(approval);
  const { ids, ...could } = await whoCouldDecide(ctx, approval, strict);
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
    tooFew: await whyTooFew(ctx, approval, persons, { could: could.count, ids }, strict),
  };
}

/** Persons whose vote would count now, and who have not voted. `ids`: of all of them where approval rules ask, else none. */
async function whoCouldDecide(
  ctx: AdviceContext,
  approval: DecidableApproval,
  strict: boolean,
): Promise<ApprovalDetail["could_decide"] & { readonly ids: readonly string[] }> {
  if (!isOpen(approval, ctx.now)) return { count: 0, members: [], more: false, ids: [] };
  const voted = approval.votes.filter((vote) => counts(vote, approval, strict)).flatMap((vote) => vote.accountable);
  const handedOn = approval.delegations.flatMap(({ from, accountable }) =>
    needsSecondPerson(approval) ? [from, ...accountable] : [from],
  );
  const out = [...new Set([...barredParties(approval), ...voted, ...handedOn])];
  const deciding = isEscalated(approval, ctx.now) ? ["admin"] : rolesWith(decidePermission);
  const asked = askedByRules(ctx, approval, strict);
  const able = personsWith(ctx, deciding)
    .where(sql<boolean>`m.id <> all(${out}::text[])`)
    .$if(strict && needsSecondPerson(approval), (q) => q.where(canSignInPersonally(ctx)))
    .$if(asked !== null, (q) =>
      q.where(
        sql<boolean>`(m.id = any(${asked?.members ?? []}::text[]) or m.roles ->> ${ctx.scope.environment}::text = any(${asked?.roles ?? []}::text[]))`,
      ),
    );
  const ids = hasRules(demandOfRow(approval)) ? (await all(ctx, able.select("m.id"))).map(({ id }) => id) : [];
  const rows = await all(
    ctx,
    able
      .select(["m.id", "m.name", sql<number>`count(*) over ()::int`.as("count")])
      .orderBy("m.name")
      .orderBy("m.id")
      .limit(mostNamed),
  );
  const members: Party[] = rows.map(({ id, name }) => ({ id, name: name ?? id, kind: "person" }));
  const count = rows[0]?.count ?? 0;
  return { count, members, more: count > members.length, ids };
}

/** Whom approval rules ask, now and in later stages; null: anybody who may decide. */
function askedByRules(ctx: AdviceContext, approval: DecidableApproval, strict: boolean) {
  const required = demandOfRow(approval);
  if (!hasRules(required) || isEscalated(approval, ctx.now)) return null;
  const { now, later, anybody } = stagesLeft(required, approval.votes, countedFor(ctx, approval, strict));
  const stages = [...now, ...later];
  if (anybody || stages.length === 0 || stages.some((stage) => tokensOf(stage).length === 0)) return null;
  const teams = ctx.facts.get(teamFacts);
  const ofTeams = stages.flatMap(({ teams: names }) =>
    names.flatMap((name) => teams.find(ctx.scope, name)?.members ?? []),
  );
  return {
    members: [...stages.flatMap(({ members }) => members), ...ofTeams],
    roles: stages.flatMap(({ roles }) => roles),
  };
}

async function whyTooFew(
  ctx: AdviceContext,
  approval: DecidableApproval,
  persons: readonly Decider[],
  { could, ids }: { readonly could: number; readonly ids: readonly string[] },
  strict: boolean,
): Promise<string | null> {
  const required = demandOfRow(approval);
  const byRules = hasRules(required);
  if (!(needsSecondPerson(approval) || byRules) || !isOpen(approval, ctx.now)) return null;
  const counted = countedFor(ctx, approval, strict);
  const missing = missingOf(required, approval.votes, counted);
  // Enough persons do not suffice where nobody is left for one of the stages.
  const lacking = byRules ? missingWith(required, approval.votes, ids, counted) : missing - could;
  if (lacking <= 0) return null;
  const { environment } = ctx.scope;
  const wanted = missing === 1 ? "one more approval" : `${missing} more approvals`;
  const left = could === 0 ? "nobody" : could === 1 ? "only one person" : `only ${could} people`;
  const needed = isEscalated(approval, ctx.now) ? "admin" : rolesWith(decidePermission).join(" or ");
  const advice = await adviceFor(ctx, [...persons, ...otherwiseBarred(approval)]);
  if (byRules && !isEscalated(approval, ctx.now))
    return `It needs ${wanted}, and those in ${environment} whom its approval rules ask cannot give ${lacking === missing ? "any" : `${lacking} of them`}. Escalate it to the admins, add somebody to whom they ask, reject it or send it back.`;
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

// What those who are left can do so that one of them may decide, where too few may: decision 0064.

export type AdviceContext = CallContext & (ReadContext | WriteContext);

export const rolesWith = (permission: string): string[] => roles.filter((role) => roleGrants(role, permission));

export function personsWith(ctx: AdviceContext, roleNames: readonly string[]) {
  const { environment } = ctx.scope;
  return select(ctx, memberRows, "m")
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where(sql<boolean>`m.roles ->> ${environment}::text = any(${[...roleNames]}::text[])`);
}

type Remedy = "confirm" | "review" | "conversation" | "rotate" | "again";

/** What ends that somebody counts for this in what is asked for afterwards; null: nothing. */
function remedyOf({ how, of }: Decider): Remedy | null {
  if (countsUntilConfirmed(how)) return of === null ? null : "confirm";
  switch (how) {
    // A review does not show corrections of passages, nor files and memories of conversations.
    case "document":
      return of?.startsWith("document:") ? "review" : null;
    case "connector":
      return of === null ? null : "review";
    case "wrote":
    case "channel":
      return "conversation";
    case "secret":
      return of === null ? null : "rotate";
    case "edited":
    case "note":
    case "answered":
      return "again";
    default:
      return null;
  }
}

interface Voter {
  readonly id: string;
  readonly name: string;
}

/** What to do so that somebody with a role that decides may do so; null: nothing helps. `persons`: everybody whose vote does not count, by what they did. */
export async function adviceFor(ctx: AdviceContext, persons: readonly Decider[]): Promise<string | null> {
  const freeable = idsOf(persons).filter((id) => persons.every((one) => one.id !== id || remedyOf(one) !== null));
  if (freeable.length === 0) return null;
  const voters = await all(
    ctx,
    personsWith(ctx, rolesWith(decidePermission))
      .where("m.id", "in", freeable)
      .select(["m.id", "m.name"])
      .orderBy("m.name")
      .orderBy("m.id"),
  );
  for (const { id, name } of voters) {
    const steps = await stepsFor(ctx, { id, name: name ?? id }, persons);
    if (steps !== null) return `Or ${steps.join(", and ")}: then ${name ?? id} may decide.`;
  }
  return null;
}

/** What it takes for one of them, ending with asking again; null: nobody is there who could do it. */
async function stepsFor(ctx: AdviceContext, voter: Voter, persons: readonly Decider[]): Promise<string[] | null> {
  const own = persons.filter(({ id }) => id === voter.id);
  const objects = (remedy: Remedy): string[] => [
    ...new Set(own.flatMap((one) => (one.of !== null && remedyOf(one) === remedy ? [one.of] : []))),
  ];
  const authorsOf = (named: readonly string[]): string[] =>
    idsOf(persons.filter(({ of }) => of !== null && named.includes(of)));
  const [texts, hooks] = [objects("review"), objects("rotate")];
  const { open: standing, authors } = await unconfirmed(ctx, objects("confirm"));
  const needed: (readonly [named: readonly string[], permission: string, step: (who: string) => string])[] = [
    [
      standing,
      "governance:confirm",
      (who) => `have ${who} look at ${standing.join(" and ")} and confirm ${standing.length === 1 ? "it" : "them"}`,
    ],
    [texts, "knowledge:write", (who) => `have ${who} review ${reviewedText(texts)}`],
    [hooks, "workflows:write", (who) => `have ${who} rotate the secret of ${hooks.join(" and ")} without an overlap`],
  ];
  const steps: string[] = [];
  for (const [named, permission, step] of needed) {
    if (named.length === 0) continue;
    // Whoever rotates a secret has it from then on, so that it is better somebody who is barred already.
    const among = permission === "workflows:write" ? idsOf(persons) : null;
    const barred = named === standing ? [...authors, ...authorsOf(named)] : authorsOf(named);
    const other = await otherThan(ctx, among === null ? barred : [voter.id], permission, among);
    if (other === null) return null;
    steps.push(step(other));
  }
  const remedies = new Set(own.map(remedyOf));
  if (remedies.has("conversation"))
    steps.push(`start a new conversation in the portal in which ${voter.name} does not write`);
  const again = "ask again";
  return remedies.has("again")
    ? [...steps, `cancel it and ${again} without edits, notes or answers by ${voter.name}`]
    : [...steps, again];
}

/** What of this content nobody has confirmed since, and everybody who may not. */
async function unconfirmed(ctx: AdviceContext, objects: readonly string[]) {
  const found = await Promise.all(
    objects.map(async (object) => {
      const [kind = "", name = ""] = object.split(/:(.*)/s);
      const content = await ctx
        .port(confirmableKinds)
        .find((one) => one.kind === kind)
        ?.find(ctx, name);
      const isDone = content !== undefined && (await isConfirmed(ctx, content));
      return { object, isDone, authors: idsOf(content?.deciders ?? []) };
    }),
  );
  const open = found.filter(({ isDone }) => !isDone);
  return { open: open.map(({ object }) => object), authors: open.flatMap((one) => one.authors) };
}

const reviewedText = (texts: readonly string[]): string => {
  const named = texts.map((of) => (of.startsWith("connector:") ? `the document that ${of} brought` : of));
  return `${named.join(" and ")} (\`knowledge.reviewDocument\` with \`If-Match\`, signed in personally)`;
};

/** The first person by name with a permission who is none of these. */
async function otherThan(
  ctx: AdviceContext,
  ids: readonly string[],
  permission: string,
  among: readonly string[] | null,
): Promise<string | null> {
  const row = await first(
    ctx,
    personsWith(ctx, rolesWith(permission))
      .where(sql<boolean>`m.id <> all(${[...ids]}::text[])`)
      .where(canSignInPersonally(ctx))
      .$if(among !== null, (q) => q.where(sql<boolean>`m.id = any(${[...(among ?? [])]}::text[])`))
      .select(["m.id", "m.name"])
      .orderBy("m.name")
      .orderBy("m.id"),
  );
  return row ? (row.name ?? row.id) : null;
}
