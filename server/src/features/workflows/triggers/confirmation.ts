import { asEarlier, type Decider, settersAmong, storedActor } from "../../../kernel/actor.ts";
import { nextTime, type Schedule } from "../../../kernel/schedule.ts";
import { type ConfirmableKind, type Content, defineStanding, digestOfContent } from "../../admin/public.ts";
import { type TriggerRow, triggers } from "./resource.ts";
import { changeTrigger } from "./store.ts";

type Identified = Pick<TriggerRow, "id" | "workflow" | "definition">;

/** A trigger's name for confirmations and takeovers. */
export const triggerObject = (id: string): string => `trigger:${id}`;

/** The content that a second person confirms. */
export const triggerContent = ({ id, workflow, definition }: Identified, deciders: readonly Decider[]): Content => ({
  object: triggerObject(id),
  digest: digestOfContent({ workflow, definition }),
  deciders,
});

/** Who set up a trigger before somebody changed it or took it over. */
export const earlierDeciders = ({ id, actor }: Pick<TriggerRow, "id" | "actor">): Decider[] =>
  asEarlier(settersAmong(storedActor(actor).persons), "trigger", triggerObject(id));

const pathOf = ({ workflow }: Identified): string => `/v1/workflows/${workflow}/triggers`;

export const confirmableTrigger: ConfirmableKind = {
  kind: "trigger",
  permission: "workflows:read",
  async find(ctx, id) {
    const row = await triggers.rows.find(ctx, id);
    if (!row) return undefined;
    return { ...triggerContent(row, settersAmong(storedActor(row.actor).persons)), agents: null, path: pathOf(row) };
  },
};

export const standingTrigger = defineStanding({
  kind: "trigger",
  prefix: "wtr",
  permission: "workflows:run",
  part: "trigger",
  async find(ctx, id) {
    const row = await triggers.rows.find(ctx, id);
    if (!row) return undefined;
    const actor = storedActor(row.actor);
    const { object, deciders } = triggerContent(row, settersAmong(actor.persons));
    return { object, actor, deciders, stoppedReason: row.stopped_reason, agents: null, path: pathOf(row) };
  },
  lock: triggers.rows.lock,
  async give(ctx, row, actor) {
    const { id, kind, definition } = row;
    const isDue = row.stopped_reason !== null && "schedule" in definition;
    const next_at = isDue ? nextTime(definition as Schedule, ctx.now) : row.next_at;
    await changeTrigger(ctx, id, { kind, definition, next_at, actor });
  },
});
