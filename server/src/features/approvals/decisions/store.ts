import { all, first, insert, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { participantOf, type Role, type Scope } from "../../../kernel/principal.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { personsOf } from "../requests/persons.ts";
import { type Place, tokensOf } from "../requests/required.ts";
import { inForce, type KnownApproval, knownColumns, knownJoins } from "../requests/store.ts";
import type { ApprovalState, PendingCounts } from "../schemas.ts";
import { callerOf } from "./load.ts";

export interface ApprovalFilter {
  readonly status?: readonly ApprovalState[];
  readonly agent?: readonly string[];
  readonly risk?: readonly RiskLevel[];
  readonly run?: string;
  /** Only what this person may decide now, by the rules of `mayDecide`. */
  readonly decidableBy?: Decider;
}

export interface Decider {
  readonly id: string;
  readonly admin: boolean;
  readonly persons: readonly string[];
  readonly personal: boolean;
  readonly strict: boolean;
  /** As which approval rules ask them: `tokensOf`. */
  readonly asked_as: readonly string[];
  readonly stand_ins: readonly DecidingStandIn[];
}

/** Somebody for whom the decider stands in: `persons` are all accountable for a vote of it, the decider included. */
interface DecidingStandIn {
  readonly member: string;
  readonly admin: boolean;
  readonly persons: readonly string[];
  readonly personal: boolean;
  /** As which approval rules ask one of the two. */
  readonly asked_as: readonly string[];
}

/** As which approval rules ask a member. */
const askedAs = ({ id, role, teams }: Place): string[] =>
  tokensOf({ quorum: 1, roles: role === undefined ? [] : [role], teams, members: [id] });

/** The caller of a list, as its statement judges them. */
export async function deciderOf(ctx: ReadContext): Promise<Decider> {
  const { principal, strict, standIns, placeOf } = await callerOf(ctx);
  const { id, personal } = principal;
  const { accountable } = participantOf(principal);
  const admin = principal.role === "admin";
  const stand_ins = standIns.map((one) => ({
    member: one.for,
    admin: admin || one.role === "admin",
    persons: personsOf([...accountable, one.for, ...one.accountable]),
    personal: personal && one.personal,
    asked_as: [...askedAs(placeOf(id)), ...askedAs(placeOf(one.for))],
  }));
  const asked_as = askedAs(placeOf(id));
  return { id, admin, persons: personsOf(accountable), personal, strict, asked_as, stand_ins };
}

export async function listApprovals(
  ctx: ReadContext,
  filter: ApprovalFilter,
  page: PageRequest,
): Promise<KnownApproval[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["a.organization = $1", "a.environment = $2"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `a.status = any(${p}::text[])`, filter.status);
  and((p) => `a.agent = any(${p}::text[])`, filter.agent);
  and((p) => `a.agent = any(${p}::text[])`, ctx.principal.agents);
  and((p) => `a.risk_level = any(${p}::text[])`, filter.risk);
  and((p) => `o.run_id = ${p}`, filter.run);
  and(decidable, filter.decidableBy && deciderText(ctx, filter.decidableBy));
  and((p) => `a.id < ${p}`, page.after?.id);
  values.push(page.take);
  return ctx.db.query<KnownApproval>(
    `select ${knownColumns} from approvals a ${knownJoins} where ${where.join(" and ")} order by a.id desc limit $${values.length}`,
    values,
  );
}

/** What `mayDecide` says, as a condition; the parameter is a JSON of the decider and the time. */
export function decidable(parameter: string): string {
  const by = (name: string): string => `(${parameter}::jsonb ->> '${name}')`;
  const now = `${by("now")}::timestamptz`;
  const taking = "(a.requester_accountable || a.editor_accountable)";
  const persons = `array(select jsonb_array_elements_text(${parameter}::jsonb -> 'persons'))`;
  const own = conditionOf(parameter, {
    admin: `${by("admin")}::boolean`,
    personal: `${by("personal")}::boolean`,
    persons,
    free: `(a.requester_allowed or not ${taking} && ${persons})`,
    two: `array[${by("id")}]`,
    askedAs: `array(select jsonb_array_elements_text(${parameter}::jsonb -> 'asked_as'))`,
  });
  const standIn = conditionOf(parameter, {
    admin: "s.admin",
    personal: "s.personal",
    persons: "s.persons",
    free: `not (${taking} || array[a.requester, a.edited_by]) && s.persons`,
    two: `array[${by("id")}, s.member]`,
    askedAs: "s.asked_as",
  });
  return `a.status = 'pending' and (a.expires_at is null or a.expires_at > ${now} or a.on_expiry = 'escalate') and (${own}
    or exists (select from jsonb_to_recordset(${parameter}::jsonb -> 'stand_ins') as s(member text, admin boolean, persons text[], personal boolean, asked_as text[]) where ${standIn}))`;
}

/** One place in which the decider may vote, in SQL: their own or that of somebody for whom they stand in. */
interface PlaceInSql {
  readonly admin: string;
  readonly personal: string;
  readonly persons: string;
  /** Whether nobody of these stands behind the request, as far as that counts. */
  readonly free: string;
  /** Who must not have handed it on. */
  readonly two: string;
  /** As which approval rules ask them. */
  readonly askedAs: string;
}

function conditionOf(parameter: string, { admin, personal, persons, free, two, askedAs }: PlaceInSql): string {
  const by = (name: string): string => `(${parameter}::jsonb ->> '${name}')`;
  const of = (alias: string): string =>
    `${alias}.organization = a.organization and ${alias}.environment = a.environment and ${alias}.approval_id = a.id`;
  const second = "(not a.requester_allowed or a.approvers > 1)";
  const demanded = `(${by("strict")}::boolean and ${second})`;
  const counted = `approval_votes v where ${of("v")} and ${inForce} and (v.personal or not ${demanded})`;
  return `(${admin} or (a.escalated_at is null and (a.expires_at is null or a.expires_at > ${by("now")}::timestamptz)))
    and ${free} and (${personal} or not ${demanded})
    and (a.asks is null or a.asks && ${askedAs} or (${admin} and (a.escalated_at is not null or a.expires_at <= ${by("now")}::timestamptz)
      and (a.escalated_by is null or a.escalated_by <> all(${two}))))
    and (not exists (select from ${counted} and v.accountable && ${persons})
      or (exists (select from ${counted} and v.voter = ${by("id")})
        and not exists (select from ${counted} and v.voter <> ${by("id")} and v.accountable && ${persons})
        and (select count(*) from ${counted} and v.vote = 'approve') >= a.approvers))
    and not exists (select from approval_delegations g where ${of("g")}
      and (g.from_member = any(${two}) or (${second} and g.accountable && ${two})))`;
}

/** How many approvals are pending, by risk, among those that the key may see; with a decider also how many of them they may decide now. */
export async function countPending(ctx: ReadContext, decider?: Decider): Promise<PendingCounts> {
  const mine = decider ? `count(*) filter (where ${decidable("$4")})::int` : "0";
  const rows = await ctx.db.query<{ risk_level: RiskLevel; pending: number; mine: number }>(
    `select risk_level, count(*)::int as pending, ${mine} as mine from approvals a
     where organization = $1 and environment = $2 and status = 'pending' and ($3::text[] is null or agent = any($3::text[])) group by risk_level`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      ctx.principal.agents,
      ...(decider ? [deciderText(ctx, decider)] : []),
    ],
  );
  const counts: PendingCounts = { low: 0, medium: 0, high: 0, critical: 0, total: 0, mine: decider ? 0 : null };
  for (const { risk_level, pending, mine } of rows) {
    counts[risk_level] += pending;
    counts.total += pending;
    if (counts.mine !== null) counts.mine += mine;
  }
  return counts;
}

export const deciderText = (ctx: ReadContext, decider: Decider): string =>
  JSON.stringify({ ...decider, now: new Date(ctx.now) });

export type Candidate = Pick<Row<"members">, "id" | "name" | "kind"> & { role: Role | null };

const roleHere = (ctx: WriteContext) => sql<Role | null>`m.roles ->> ${ctx.scope.environment}::text`;

export async function lockCandidate(ctx: WriteContext, id: string): Promise<Candidate | undefined> {
  const member = select(ctx, memberRows, "m").where("m.id", "=", id).where("m.removed_at", "is", null);
  return first(ctx, member.select(["m.id", "m.name", "m.kind", roleHere(ctx).as("role")]).forShare());
}

export async function listOtherAdmins(ctx: WriteContext, besides: readonly string[]): Promise<string[]> {
  const members = select(ctx, memberRows, "m")
    .select("m.id")
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null)
    .where(roleHere(ctx), "=", "admin")
    .where(sql<boolean>`m.id <> all(${besides}::text[])`);
  return (await all(ctx, members)).map(({ id }) => id);
}

export async function insertDelegation(
  ctx: WriteContext,
  { approvalId, to, reason }: { approvalId: string; to: string; reason: string },
): Promise<void> {
  const { accountable } = participantOf(ctx.principal);
  const handed = { approval_id: approvalId, from_member: ctx.principal.id, to_member: to, reason };
  await all(ctx, update(ctx, "approvals").set(revised).where("id", "=", approvalId));
  await all(ctx, insert(ctx, "approval_delegations", { ...handed, accountable: [...accountable] }));
}

const revised = { revision: sql<number>`revision + 1` };

/** From now on only admins decide; an end that would have escalated it is dropped. False where it was escalated before, or is decided. */
export async function setEscalated(ctx: WriteContext, id: string): Promise<boolean> {
  const escalating = sql`on_expiry = 'escalate'`;
  const escalated = update(ctx, "approvals")
    .set({ ...revised, escalated_at: sql<Date>`now()`, escalated_by: ctx.principal.id })
    .set({ expires_at: sql<Date | null>`case when ${escalating} then null else expires_at end` })
    .set({ on_expiry: sql<"reject" | null>`case when ${escalating} then null else on_expiry end` })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("escalated_at", "is", null);
  return (await first(ctx, escalated.returning("id"))) !== undefined;
}

/** Marks that people were reminded of a pending approval; false where they were before, or it is decided. */
export async function noteReminder(ctx: WriteContext, id: string): Promise<boolean> {
  const reminded = update(ctx, "approvals")
    .set({ ...revised, reminded_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .where("expires_at", ">", new Date(ctx.now))
    .where("reminded_at", "is", null);
  return (await first(ctx, reminded.returning("id"))) !== undefined;
}

export interface ApprovalAddress extends Scope {
  readonly id: string;
}

/** Pending approvals of all scopes for which this holds at `$1`, the next to end first. */
const listPending = (db: Statements, which: string, now: Date, most: number): Promise<ApprovalAddress[]> =>
  db.query<ApprovalAddress>(
    `select organization, environment, id from approvals
     where status = 'pending' and expires_at is not null and ${which} order by expires_at limit $2`,
    [now, most],
  );

export const listOverdueApprovals = (db: Statements, now: Date, most: number): Promise<ApprovalAddress[]> =>
  listPending(db, "expires_at <= $1", now, most);

/** People are reminded an hour before the end, or a tenth of the whole time before it, whichever is later. */
export const listExpiringApprovals = (db: Statements, now: Date, most: number): Promise<ApprovalAddress[]> =>
  listPending(
    db,
    `expires_at > $1 and expires_at <= $1::timestamptz + interval '1 hour' and reminded_at is null
       and expires_at - least((expires_at - created_at) / 10, interval '1 hour') <= $1`,
    now,
    most,
  );
