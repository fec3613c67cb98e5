import type { FactSet } from "../kernel/facts.ts";
import type { Operation } from "../kernel/operation.ts";
import * as admin from "./admin/index.ts";
import * as agents from "./agents/index.ts";
import * as approvals from "./approvals/index.ts";
import { type AuditPort, createAuditOperations } from "./audit/index.ts";
import * as evaluations from "./evaluations/index.ts";
import * as governance from "./governance/index.ts";
import * as tasks from "./tasks/index.ts";

/** What slices need of the machines, joined by `app.ts`. */
export interface SlicePorts {
  readonly audit: AuditPort;
}

/** The registry: every operation of the service, in one list. The router, the pipeline and the description loop over it. */
export function registry(ports: SlicePorts): readonly Operation[] {
  return [
    ...agents.operations,
    ...tasks.operations,
    ...evaluations.operations,
    ...governance.operations,
    ...approvals.operations,
    ...createAuditOperations(ports.audit),
    ...admin.operations,
  ];
}

/** Everything that is kept in memory. */
export const factSets: readonly FactSet<unknown>[] = [
  ...agents.facts,
  ...tasks.facts,
  ...evaluations.facts,
  ...governance.facts,
  ...admin.facts,
];
