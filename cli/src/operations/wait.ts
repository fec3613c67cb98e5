import { setTimeout as after } from "node:timers/promises";
import type { Parsed } from "../flags.ts";
import { asksPeople, heldIn, holdTeller, leavesOnQuestion, sayHeld } from "../held.ts";
import type { Reply, Service } from "../http.ts";
import { progressOn } from "../output/progress.ts";
import { problemOf } from "../problems.ts";
import { exits, now, type Terminal } from "../terminal.ts";
import { addressOf, type Request } from "./request.ts";

/** States that lead to others by themselves, or by what people do. */
const going: ReadonlySet<string> = new Set([
  "queued",
  "running",
  "pending",
  "awaiting_approval",
  "input_required",
  "waiting",
  "compensating",
]);
/** Ends that were not wished for; one that was cancelled is told apart. */
const failures: ReadonlySet<string> = new Set([
  "failed",
  "blocked",
  "rejected",
  "expired",
  "compensated",
  "compensation_failed",
]);
/** Seconds that one call waits at the service, and the least time between two calls (milliseconds). */
const hold = 30;
/** The same of work that is held: what holds it may change at any time. */
const heldHold = 5;
const leastPause = 500;

/** The state of what an answer is about; null where it has none. */
export function stateOf(body: unknown): string | null {
  const { status, state } = (typeof body === "object" && body !== null ? body : {}) as {
    status?: unknown;
    state?: unknown;
  };
  return typeof status === "string" ? status : typeof state === "string" ? state : null;
}

/** The exit status of the end that an answer tells of: 0 where it was wished for by who made this call, 2 cancelled, else 1. */
export function exitOfEnd(operation: string, reply: Reply): number {
  const state = stateOf(reply.body) ?? "";
  if (going.has(state)) return exits.asked;
  if (state === "cancelled") return /\.cancel[A-Z]/.test(operation) ? exits.done : exits.cancelled;
  return failures.has(state) ? exits.failed : exits.done;
}

/** Waits until the work that an answer is about has ended: where it points to, else what was asked for. Answers the last answer. */
export async function waitFor(
  from: { service: Service; terminal: Terminal; parsed?: Parsed },
  request: Request,
  reply: Reply,
): Promise<Reply> {
  const { service, terminal, parsed } = from;
  const location = reply.headers.get("location");
  const path = location === null ? addressOf(request) : pathOf(location, service.access.url);
  if (request.method !== "GET" && location === null) return reply;
  const progress = progressOn(terminal);
  const began = now();
  const say = holdTeller(sayHeld(terminal, progress));
  const leaves = parsed !== undefined && leavesOnQuestion(parsed);
  try {
    for (let latest = reply; ; ) {
      const state = stateOf(latest.body);
      if (problemOf(latest) !== null || (latest.status !== 202 && !going.has(state ?? ""))) return latest;
      const held = heldIn(latest.body);
      say(held);
      if (leaves && held && asksPeople(held)) return latest;
      progress.say(`${state ?? "waiting"} … ${Math.round((now() - began) / 1000)} s`);
      const asked = now();
      latest = await service.call("GET", path, { headers: { prefer: `wait=${held ? heldHold : hold}` } });
      if (going.has(stateOf(latest.body) ?? "")) await after(Math.max(0, leastPause - (now() - asked)));
    }
  } finally {
    progress.done();
  }
}

/** Path and query of an address, which is the service's own whatever host it names. */
function pathOf(location: string, base: string): string {
  const { pathname, search } = new URL(location, base);
  return pathname + search;
}
