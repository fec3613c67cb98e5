import type { FactSet } from "../kernel/facts.ts";
import type { JobHandlers, JobParts, Sweep } from "../kernel/machines.ts";
import type { Operation } from "../kernel/operation.ts";
import { patient } from "../kernel/patient.ts";
import * as admin from "./admin/index.ts";
import * as agents from "./agents/index.ts";
import * as approvals from "./approvals/index.ts";
import * as audit from "./audit/index.ts";
import * as evaluations from "./evaluations/index.ts";
import * as governance from "./governance/index.ts";
import * as knowledge from "./knowledge/index.ts";
import * as tasks from "./tasks/index.ts";
import * as webhooks from "./webhooks/index.ts";

/** What slices need of the machines, joined in `wiring/slice-ports.ts`. */
export interface SlicePorts {
  readonly audit: audit.AuditPort;
  readonly exports: audit.ExportPort;
  readonly policies: governance.PolicyPort;
  readonly taskEvents: tasks.TaskEventsPort;
  readonly connections: admin.ConnectionPort;
  readonly signIn: admin.SignInPort;
  readonly webhooks: webhooks.WebhookPort;
  readonly events: webhooks.EventFeedPort;
}

/** The registry: every operation of the service, in one list. The router, the pipeline and the description loop over it. */
export function registry(ports: SlicePorts): readonly Operation[] {
  return [
    ...agents.operations,
    ...knowledge.operations,
    ...tasks.createOperations(ports.taskEvents),
    ...evaluations.operations,
    ...governance.createOperations(ports.policies),
    ...approvals.operations,
    ...audit.createOperations(ports.audit, ports.exports),
    ...admin.createOperations(ports.connections, ports.signIn),
    ...webhooks.createOperations(ports.webhooks, ports.events),
  ];
}

/** What the portal's sign-in calls under /auth/: calls of the pipeline like any other, that stand in no description of the interface. */
export const createSignInOperations = admin.createSignInOperations;

export { createProofs, type Proofs } from "./admin/index.ts";

/** Everything that is kept in memory. */
export const factSets: readonly FactSet<unknown>[] = [
  ...agents.facts,
  ...knowledge.facts,
  ...tasks.facts,
  ...evaluations.facts,
  ...governance.facts,
  ...approvals.facts,
  ...audit.facts,
  ...admin.facts,
  ...webhooks.facts,
];

/** What slices look after by the clock, in the order in which they look. */
export const sweeps: readonly Sweep[] = [
  ...tasks.sweeps,
  ...approvals.sweeps,
  ...governance.sweeps,
  ...agents.sweeps,
  ...knowledge.sweeps,
  ...evaluations.sweeps,
  ...audit.sweeps,
  ...admin.sweeps,
  ...webhooks.sweeps,
];

/** What slices do when a job wakes them, besides running tasks. */
export function createJobs(given: JobParts, ports: SlicePorts): JobHandlers {
  const parts = { ...given, inside: patient(given.inside) };
  return {
    ...audit.createJobs(parts, ports.exports),
    ...agents.createJobs(parts),
    ...evaluations.createJobs(parts),
    ...webhooks.createJobs(ports.webhooks),
    ...admin.createInvitationJobs(parts, ports.signIn),
  };
}
