import { refusalOf } from "../../kernel/errors.ts";
import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { conflict, notFound } from "../../kernel/problems.ts";
import { type Environs, listEnvirons, lookAhead, moveHead } from "./event-cursor.ts";
import type { Judgement, Question } from "./expression-work.ts";
import { type FiringAddress, listDueScopes, listFirings } from "./firing-store.ts";
import { callsKeptFor, clearHookCalls } from "./hook-store.ts";
import { fireTrigger } from "./operations/fire-trigger.ts";
import { matchEvents } from "./operations/match-events.ts";
import { planSchedules } from "./operations/plan-schedules.ts";
import { refuseFiring } from "./operations/refuse-firing.ts";
import { inExpressionThread } from "./threaded.ts";

/** Firings that one look tries, and how many of them at a time. */
const most = 200;
const atOnce = 4;
/** Calls of hooks that one look forgets. */
const mostCleared = 1_000;
/** Looks at one environment's events in a row; the rest comes a second later. */
const mostLooks = 10;
/** Looks in a row whose conditions a thread judges. */
const mostJudged = 3;
/** A firing is tried again after so long: after an error of the service always, after a refusal that time may lift until it is a day old (milliseconds). */
const againAfter = 30_000;
const givenUpAfter = 86_400_000;

/** Refusals that time may lift. */
const passing: ReadonlySet<string> = new Set(["kill_switch_engaged", "budget_exhausted"]);

/** Plans schedules that are due, looks at new events, and starts the runs for which triggers have fired. */
export const triggerSweep: Sweep = {
  name: "workflows.triggers",
  async run(parts) {
    const { db, inside, now } = parts;
    for (const { organization, environment } of await listDueScopes(db, new Date(now)))
      await inside(planSchedules, { organization, environment }, {});
    // What needs a thread to judge its conditions does not hold up the others.
    const judging: Promise<void>[] = [];
    const failed: unknown[] = [];
    for (const environs of await listEnvirons(db)) {
      const left = await hear(parts, environs);
      if (left)
        judging.push(hearJudged(parts, environs.scope, left).catch((error: unknown) => void failed.push(error)));
    }
    const firings = await listFirings(db, new Date(now), most);
    // Those of one trigger one after the other: its runs begin in the order of what they are for.
    const groups = [...Map.groupBy(firings, ({ trigger }) => trigger).values()];
    const lane = async (): Promise<void> => {
      for (let group = groups.shift(); group; group = groups.shift())
        for (const firing of group) await tryFiring(parts, firing);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    await Promise.all(judging);
    if (failed.length > 0) throw failed[0];
    await clearHookCalls(db, new Date(now - callsKeptFor), mostCleared);
  },
};

/** A look that a thread has to judge conditions for. */
interface Left {
  readonly upTo: number;
  readonly questions: readonly Question[];
}

const nothingJudged: ReadonlyMap<string, Judgement> = new Map();

/** Looks again with what a thread says of the conditions; the environment's later events are looked at by the next sweep. */
async function hearJudged({ inside }: SweepParts, scope: Scope, { upTo, questions }: Left): Promise<void> {
  let [judged, left] = [nothingJudged, questions];
  // The look reads anew, so that it may find others to judge.
  for (let looks = 0; looks < mostJudged && left.length > 0; looks++) {
    judged = new Map([...judged, ...(await inExpressionThread<Map<string, Judgement>>(scope, "judgeThere", left))]);
    ({ left } = await inside(matchEvents, scope, { upTo, judged }));
  }
}

/** Events that nobody waits for are passed over without a call. Returns what a thread has to judge first. */
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

async function tryFiring(
  { inside, now }: SweepParts,
  found: Scope & FiringAddress & { readonly at: Date },
): Promise<void> {
  const scope = { organization: found.organization, environment: found.environment };
  const address = { trigger: found.trigger, occasion: found.occasion };
  try {
    await inside(fireTrigger, scope, address);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { code, infrastructure } = refusal.type;
    if (code === conflict.code || code === notFound.code) return;
    const isYoung = now < found.at.getTime() + givenUpAfter;
    const again = infrastructure === true || (passing.has(code) && isYoung) ? now + againAfter : null;
    await inside(refuseFiring, scope, { ...address, failure: { code, detail: refusal.details.detail }, again });
  }
}
