import { setTimeout as after } from "node:timers/promises";
import type { OptionValues } from "commander";
import { asksPeople, holdIn, leavesOnQuestion, onHoldChange, writeHold } from "../holds.ts";
import type { Reply, Service } from "../http.ts";
import { progressOn } from "../output/progress.ts";
import { problemOf } from "../problems.ts";
import { exits, now, type Terminal } from "../terminal.ts";
import { addressOf, type Request } from "./request.ts";

/** States that are not final. */
const going: ReadonlySet<string> = new Set([
  "queued",
  "running",
  "pending",
  "awaiting_approval",
  "input_required",
  "waiting",
  "compensating",
]);
/** Final states that count as failed; cancelled has an exit status of its own. */
const failures: ReadonlySet<string> = new Set([
  "failed",
  "blocked",
  "rejected",
  "expired",
  "compensated",
  "compensation_failed",
]);
/** Seconds that one call waits at the service; `leastPause` is in milliseconds. */
const hold = 30;
/** Seconds for held work, whose hold may change at any time. */
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

/** Documents that a sync brought and that searches do not find yet. */
const indexingIn = (body: unknown): number => {
  const { indexing } = (typeof body === "object" && body !== null ? body : {}) as { indexing?: unknown };
  return typeof indexing === "number" ? indexing : 0;
};

const isGoing = (body: unknown): boolean => going.has(stateOf(body) ?? "") || indexingIn(body) > 0;

/** How far the work is, in a line. */
function progressText(body: unknown): string {
  const state = stateOf(body) ?? "waiting";
  const { added, changed } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const brought = typeof added === "number" && typeof changed === "number" ? `, ${added + changed} brought` : "";
  const indexing = indexingIn(body);
  return `${going.has(state) ? state : "indexing"}${brought}${indexing === 0 ? "" : `, ${indexing} to index`}`;
}

/** The exit status of the final state: 0 completed, or cancelled by this call; 2 cancelled otherwise; 1 failed. */
export function exitOfEnd(operation: string, reply: Reply): number {
  const state = stateOf(reply.body) ?? "";
  if (going.has(state)) return exits.asked;
  if (state === "cancelled") return /\.cancel[A-Z]/.test(operation) ? exits.done : exits.cancelled;
  return failures.has(state) ? exits.failed : exits.done;
}

/** Waits until the work has ended, reading the `Location` of the reply or else the request itself. Returns the last reply. */
export async function waitFor(
  from: { service: Service; terminal: Terminal; options?: OptionValues },
  request: Request,
  reply: Reply,
): Promise<Reply> {
  const { service, terminal, options } = from;
  const location = reply.headers.get("location");
  const path = location === null ? addressOf(request) : pathOf(location, service.access.url);
  if (request.method !== "GET" && location === null) return reply;
  const progress = progressOn(terminal);
  const began = now();
  const say = onHoldChange(writeHold(terminal, progress));
  const leaves = options !== undefined && leavesOnQuestion(options);
  try {
    for (let latest = reply; ; ) {
      if (problemOf(latest) !== null || (latest.status !== 202 && !isGoing(latest.body))) return latest;
      const held = holdIn(latest.body);
      say(held);
      if (leaves && held && asksPeople(held)) return latest;
      progress.say(`${progressText(latest.body)} … ${Math.round((now() - began) / 1000)} s`);
      const asked = now();
      latest = await service.call("GET", path, { headers: { prefer: `wait=${held ? heldHold : hold}` } });
      if (isGoing(latest.body)) await after(Math.max(0, leastPause - (now() - asked)));
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
