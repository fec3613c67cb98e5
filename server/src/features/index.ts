import path from "node:path";
import type { FactSet } from "../kernel/facts.ts";
import type { JobHandlers, JobParts, Sweep } from "../kernel/machines.ts";
import type { Operation } from "../kernel/operation.ts";
import { describe } from "../kernel/operation-seal.ts";
import { patient } from "../kernel/patient.ts";
import type { Job, SlicePorts } from "../kernel/slice.ts";
import { loadSlices, makeOperations } from "./load.ts";

// The registry. A folder beside this file is a slice, and a file in its `operations` folder is an operation: there is no list to keep.

export const slices = await loadSlices(import.meta.dirname, path.extname(import.meta.filename));

/** Those under /auth/, and the end of a sign-in by OpenID Connect, which has no address: the provider leads the browser back by a redirect. */
const isSignIn = (operation: Operation): boolean =>
  describe(operation).path?.startsWith("/auth/") === true || operation.id === "sessions.signInWithProvider";

/** Takes calls of other services, which have no key and need no description of the interface. */
const isHookCall = (operation: Operation): boolean => operation.id === "workflows.receiveHook";
const isChannelEvent = (operation: Operation): boolean => operation.id === "chat.receiveChannelEvent";

/** Every operation of the service: those under /v1, and those that machines call. */
export function registry(ports: SlicePorts): readonly Operation[] {
  return makeOperations(slices, ports).filter(
    (operation) => !isSignIn(operation) && !isHookCall(operation) && !isChannelEvent(operation),
  );
}

/**
 * The operations of the portal's sign-in, by name: calls of the pipeline like any other, that stand in no description of the interface. Throws where one of
 * these names is not declared.
 */
export function createSignInOperations<Name extends string>(
  ports: SlicePorts,
  names: readonly Name[],
): Readonly<Record<Name, Operation>> {
  const own = makeOperations(slices, ports).filter(isSignIn);
  const missing = names.find((name) => !own.some(({ id }) => id === `sessions.${name}`));
  if (missing !== undefined) throw new Error(`no file in admin/sessions/operations declares sessions.${missing}`);
  return Object.fromEntries(own.map((operation) => [operation.id.slice("sessions.".length), operation])) as Record<
    Name,
    Operation
  >;
}

/** Operations whose credential is a signature: those of inbound hooks, and of channels such as Slack. */
export function createSignedOperations(ports: SlicePorts) {
  const made = makeOperations(slices, ports);
  return {
    hookOperation: made.find(isHookCall) as Operation,
    channelOperation: made.find(isChannelEvent) as Operation,
  };
}

export type { SlicePorts } from "../kernel/slice.ts";
export { createProofs, type Proofs } from "./admin/index.ts";
export { createChannelProof, type ProveEvent } from "./chat/index.ts";
export { createHookProof, type ProveHook } from "./workflows/index.ts";

/** Everything that is kept in memory. */
export const factSets: readonly FactSet<unknown>[] = slices.flatMap(({ slice }) => slice.facts ?? []);

/** Every kind of job besides the one that runs tasks, for which the sweeper itself looks. */
export const jobs: readonly Job[] = slices.flatMap(({ slice }) => slice.jobs ?? []);

/** What slices look after by the clock, in the order in which they look. */
export const sweeps: readonly Sweep[] = [
  ...new Set(
    slices.flatMap(({ slice }) => [
      ...(slice.sweeps ?? []),
      ...(slice.jobs ?? []).flatMap(({ sweep }) => ("run" in sweep ? [sweep] : [])),
    ]),
  ),
];

/** What slices do when a job wakes them, besides running tasks. */
export function createJobs(given: JobParts, ports: SlicePorts): JobHandlers {
  const parts = { ...given, inside: patient(given.inside) };
  return Object.fromEntries(jobs.map(({ name, handler }) => [name, handler(parts, ports)]));
}
