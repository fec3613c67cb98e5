import { Refusal } from "../../kernel/errors.ts";
import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { conflict, notFound } from "../../kernel/problems.ts";
import { type Environs, listEnvirons, lookAhead, moveHead } from "./event-cursor.ts";
import { type FiringAddress, listDueScopes, listFirings } from "./firing-store.ts";
import { callsKeptFor, clearHookCalls } from "./hook-store.ts";
import { fireTrigger } from "./operations/fire-trigger.ts";
import { matchEvents } from "./operations/match-events.ts";
import { planSchedules } from "./operations/plan-schedules.ts";
import { refuseFiring } from "./operations/refuse-firing.ts";

/** Firings that one look tries, and how many of them at a time. */
const most = 200;
const atOnce = 4;
/** Calls of hooks that one look forgets. */
const mostCleared = 1_000;
/** Looks at one environment's events in a row; the rest comes a second later. */
const mostLooks = 10;
/** A firing whose refusal may pass is tried again after so long, until it is a day old (milliseconds). */
const againAfter = 30_000;
const givenUpAfter = 86_400_000;

/** Refusals that time may lift. */
const passing: ReadonlySet<string> = new Set([
  "kill_switch_engaged",
  "budget_exhausted",
  "audit_unavailable",
  "overloaded",
]);

/** Plans schedules that are due, looks at new events, and starts the runs for which triggers have fired. */
export const triggerSweep: Sweep = {
  name: "workflows.triggers",
  async run(parts) {
    const { db, inside, now } = parts;
    for (const { organization, environment } of await listDueScopes(db, new Date(now)))
      await inside(planSchedules, { organization, environment }, {});
    for (const environs of await listEnvirons(db)) await hear(parts, environs);
    const firings = await listFirings(db, new Date(now), most);
    // Those of one trigger one after the other: its runs begin in the order of what they are for.
    const groups = [...Map.groupBy(firings, ({ trigger }) => trigger).values()];
    const lane = async (): Promise<void> => {
      for (let group = groups.shift(); group; group = groups.shift())
        for (const firing of group) await tryFiring(parts, firing);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    await clearHookCalls(db, new Date(now - callsKeptFor), mostCleared);
  },
};

/** Events that nobody waits for are passed over without a call. */
async function hear({ db, inside }: SweepParts, { scope, head, newest, waits }: Environs): Promise<void> {
  let [at, isLeft] = [head ?? newest, waits || head === null];
  for (let looks = 0; looks < mostLooks && (isLeft || at < newest); looks++) {
    const { upTo, heard } = await lookAhead({ scope, db }, at);
    if (!heard && !isLeft) {
      if (upTo === at) return; // the newest are not to be seen yet
      await moveHead({ scope, db }, at, upTo);
      at = upTo;
      continue;
    }
    const matched = await inside(matchEvents, scope, { upTo });
    [at, isLeft] = [matched.head, matched.more];
  }
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
    if (!(error instanceof Refusal)) throw error;
    const { code } = error.type;
    if (code === conflict.code || code === notFound.code) return;
    const isYoung = now < found.at.getTime() + givenUpAfter;
    const again = passing.has(code) && isYoung ? now + againAfter : null;
    await inside(refuseFiring, scope, { ...address, failure: { code, detail: error.details.detail }, again });
  }
}
