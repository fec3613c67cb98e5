import { isoTime } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { participantOf } from "../../../../kernel/principal.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { personsOnly } from "../../requests/errors.ts";
import { delegationCreated } from "../events.ts";
import { exampleDelegation } from "../example.ts";
import { delegations } from "../resource.ts";
import { bodyFaults, whyNotDeciding } from "../rules.ts";
import { CreateDelegationBody } from "../schemas.ts";
import { closesCircle, lockMembers } from "../store.ts";

const { from, to, starts_at, ends_at, reason } = exampleDelegation;

export const createDelegation = defineOperation({
  ...delegations.changeOfAll(),
  ...delegations.answer,
  id: "approvals.createDelegation",
  method: "POST",
  status: 201,
  summary: "Have somebody stand in",
  description:
    "For a time, `to` decides on approvals in the place of `from`, as far as `from` may: also on what was escalated, if `from` is an admin. Each vote carries both names and counts as that of one " +
    "person. It has no effect on what either of them, or whoever made it, stands behind. It ends when either of them is removed or loses the role that decides. Only persons do this.",
  body: CreateDelegationBody,
  example: {
    body: { from: from.id, to: to.id, starts_at, ends_at, reason: reason as string },
    output: exampleDelegation,
  },
  location: (made) => `/v1/approvals/settings/delegations/${made.delegation_id}`,
  validate: (ctx, { body }) => bodyFaults(body, ctx.principal, ctx.now),
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `delegation:${output.delegation_id}` : "delegations"),
  emits: [delegationCreated],
  errors: [personsOnly, conflict],
  async handle(ctx, { body }) {
    const { principal } = ctx;
    if (principal.kind !== "member")
      throw refuse(personsOnly, "Only a person can be stood in for; this key acts for a service account.");
    const now = new Date(ctx.now);
    const away = body.from ?? principal.id;
    const [starts, ends] = [body.starts_at === undefined ? now : new Date(body.starts_at), new Date(body.ends_at)];
    const fault = await memberFault(ctx, { from: away, to: body.to, starts, ends });
    if (fault) throw refuse(invalidBody, `${fault.pointer}: ${fault.detail}.`, { errors: [fault] });
    const row = await delegations.rows.insert(ctx, {
      id: ctx.newId("dlg"),
      from_member: away,
      to_member: body.to,
      starts_at: starts,
      ends_at: ends,
      reason: body.reason ?? null,
      author: principal.id,
      accountable: [...participantOf(principal).accountable],
      personal: principal.personal,
      created_at: now,
    });
    const [from, to] = [row.from_member, row.to_member];
    const dates = { starts_at: isoTime(row.starts_at), ends_at: isoTime(row.ends_at) };
    ctx.emit(delegationCreated, { delegation_id: row.id, from, to, ...dates });
    return delegations.itemOf(ctx, row);
  },
});

async function memberFault(
  ctx: WriteContext,
  dated: { from: string; to: string; starts: Date; ends: Date },
): Promise<Fault | undefined> {
  const members = await lockMembers(ctx, [dated.from, dated.to]);
  for (const [pointer, id] of [
    ["/from", dated.from],
    ["/to", dated.to],
  ] as const) {
    const member = members.get(id);
    if (!member) return { pointer, code: "unknown_member", detail: `${id} is no member; use the id of one` };
    const why = whyNotDeciding(`${id} (${member.name})`, member, ctx.scope.environment);
    if (why) return { pointer, code: "cannot_decide", detail: `${why}; name a person whose role decides` };
  }
  if (!(await closesCircle(ctx, dated))) return undefined;
  const detail = `${dated.to} is away at some of that time, and hands their decisions to ${dated.from}, also by way of others; name somebody else or other dates`;
  return { pointer: "/to", code: "circle", detail };
}
