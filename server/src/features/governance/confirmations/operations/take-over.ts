import { actorTakingOver } from "../../../../kernel/actor.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope, notFound } from "../../../../kernel/problems.ts";
import { automationTakenOver } from "../../../admin/public.ts";
import { personsOnly } from "../../../approvals/requests/public.ts";
import { findStanding, requirePermission, standingFaults } from "../content.ts";
import { alreadyYours } from "../errors.ts";
import { TakenOver, TakeOverBody } from "../schemas.ts";

export const takeOver = defineOperation({
  id: "governance.takeOver",
  method: "POST",
  path: "/v1/governance/take-overs",
  summary: "Take over an automation",
  description:
    "Makes the caller the owner of a trigger, schedule, channel, connector, report, alert, monitor, webhook or canary, and starts it again where it had stopped. It acts with the caller's permissions from then on. " +
    "Who decided what it does stays recorded, so that taking over makes nobody a second person.",
  body: TakeOverBody,
  output: TakenOver,
  example: {
    body: { object: "schedule:sch_01jd8x0000000000000000000s" },
    output: {
      object: "schedule:sch_01jd8x0000000000000000000s",
      owner: "mbr_01jd8x0000000000000000000b",
      previous_owner: "mbr_01jd8x0000000000000000000e",
      stopped_reason: null,
    },
  },
  permission: "governance:confirm",
  load: exempt("names no object in its path; what is taken over stands in the body"),
  narrowing: byBody("the agents that it makes act", async (ctx, { body }: { body: TakeOverBody }) => {
    const found = await findStanding(ctx, body.object);
    return found?.standing.agents ?? null;
  }),
  validate: (ctx, { body }) => standingFaults(ctx, body.object),
  gate: exempt("makes no agent act yet; each task that it starts passes the gate"),
  decides: exempt("changes nothing of what it does; those who decided that stay recorded"),
  compliance: governs("automation.take_over"),
  audit: ({ output }) => output?.object ?? "automations",
  emits: [automationTakenOver],
  errors: [notFound, insufficientScope, personsOnly, alreadyYours],
  async handle(ctx, { body: { object } }) {
    const { principal } = ctx;
    const found = await findStanding(ctx, object);
    if (!found) throw refuse(notFound, `There is no ${object} in ${ctx.scope.environment}.`);
    const { kind, standing, name } = found;
    if (principal.kind !== "member")
      throw refuse(personsOnly, `Only a person can take over ${object}. This key belongs to a service account.`, {
        stage: "permissions",
      });
    requirePermission(ctx, kind.permission, `What ${object} does`);
    const previous = standing.actor.owner;
    if (previous === principal.id && standing.stoppedReason === null)
      throw refuse(alreadyYours, `${object} acts in your name already, and it is not stopped.`);
    await kind.takeOver(ctx, name, actorTakingOver(ctx));
    ctx.emit(automationTakenOver, { object, owner: principal.id });
    return { object, owner: principal.id, previous_owner: previous, stopped_reason: null };
  },
});
