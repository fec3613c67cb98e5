import { inLanes, type Retries, tryDue } from "../../../../kernel/due.ts";
import type { Sweep, SweepParts } from "../../../../kernel/machines.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { inExpressionThread } from "../../expression-threads.ts";
import type { Judgement, Question } from "../../expression-work.ts";
import { callsKeptFor, clearHookCalls } from "../../hooks/store.ts";
import { type Environs, listEnvirons, lookAhead, moveHead } from "../event-store.ts";
import { type FiringAddress, listDueScopes, listFirings } from "../firing-store.ts";
import { fireTrigger } from "../operations/fire-trigger.ts";
import { matchEvents } from "../operations/match-events.ts";
import { planSchedules } from "../operations/plan-schedules.ts";
import { refuseFiring } from "../operations/refuse-firing.ts";

/** Firings tried by one sweep, and how many at a time. */
const most = 200;
const atOnce = 4;
/** Hook calls deleted by one sweep. */
const mostCleared = 1_000;
/** Batches of one environment's events; the rest follows a second later. */
const mostLooks = 10;
/** Batches in a row whose conditions a thread evaluates. */
const mostJudged = 3;
const retries: Retries = { passing: new Set(["kill_switch_engaged", "budget_exhausted"]), pause: () => 30_000 };

/** Plans due schedules, matches new events with triggers, and starts the runs of pending firings. */
export const triggerSweep: Sweep = {
  name: "workflows.triggers",
  async run(parts) {
    const { db, inside, now } = parts;
    for (const { organization, environment } of await listDueScopes(db, new Date(now)))
      await inside(planSchedules, { organization, environment }, {});
    // What needs a thread does not block the others.
    const judging: Promise<void>[] = [];
    const failed: unknown[] = [];
    for (const environs of await listEnvirons(db)) {
      const left = await hear(parts, environs);
      if (left)
        judging.push(hearJudged(parts, environs.scope, left).catch((error: unknown) => void failed.push(error)));
    }
    const firings = await listFirings(db, new Date(now), most);
    // Firings of one trigger one after the other: its runs begin in their order.
    const groups = [...Map.groupBy(firings, ({ trigger }) => trigger).values()];
    await inLanes(groups, atOnce, (firing) => tryFiring(parts, firing));
    await Promise.all(judging);
    if (failed.length > 0) throw failed[0];
    await clearHookCalls(db, new Date(now - callsKeptFor), mostCleared);
  },
};

interface Left {
  readonly upTo: number;
  readonly questions: readonly Question[];
}

const nothingJudged: ReadonlyMap<string, Judgement> = new Map();

/** Repeats a match with the results of a thread; the next sweep matches the environment's later events. */
async function hearJudged({ inside }: SweepParts, scope: Scope, { upTo, questions }: Left): Promise<void> {
  let [judged, left] = [nothingJudged, questions];
  // The match reads events again, and may find others to evaluate.
  for (let looks = 0; looks < mostJudged && left.length > 0; looks++) {
    judged = new Map([...judged, ...(await inExpressionThread<Map<string, Judgement>>(scope, "judgeThere", left))]);
    ({ left } = await inside(matchEvents, scope, { upTo, judged }));
  }
}

/** Skips events that nothing listens to without a call. Returns the conditions that a thread has to evaluate first. */
async function hear({ db, inside }: SweepParts, { scope, head, newest, waits }: Environs): Promise<Left | undefined> {
  let [at, isLeft] = [head ?? newest, waits || head === null];
  for (let looks = 0; looks < mostLooks && (isLeft || at < newest); looks++) {
    const { upTo, heard } = await lookAhead({ scope, db }, at);
    if (!heard && !isLeft) {
      if (upTo === at) return undefined; // the newest are not to be seen yet
      await moveHead({ scope, db }, at, upTo);
      at = upTo;
      continue;
    }
    const matched = await inside(matchEvents, scope, { upTo, judged: nothingJudged });
    if (matched.left.length > 0) return { upTo, questions: matched.left };
    [at, isLeft] = [matched.head, matched.more];
  }
  return undefined;
}

function tryFiring(
  { inside, now }: SweepParts,
  { organization, environment, trigger, occasion, at }: Scope & FiringAddress & { readonly at: Date },
): Promise<void> {
  const scope = { organization, environment };
  const address = { trigger, occasion };
  return tryDue(
    () => inside(fireTrigger, scope, address),
    retries,
    { at: at.getTime(), now },
    (refused) => inside(refuseFiring, scope, { ...address, ...refused }),
  );
}
