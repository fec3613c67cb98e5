import type { FactSet } from "../../kernel/facts.ts";
import type { Sweep } from "../../kernel/machines.ts";
import type { Operation } from "../../kernel/operation.ts";
import * as workbench from "./lists/workbench.ts";
import { approve } from "./operations/approve.ts";
import { listApprovals } from "./operations/list-approvals.ts";
import { readApproval } from "./operations/read-approval.ts";
import { reject } from "./operations/reject.ts";

export const operations: readonly Operation[] = [listApprovals, readApproval, approve, reject, ...workbench.operations];

/** Approvals themselves are never decided from memory. */
export const facts: readonly FactSet<unknown>[] = [...workbench.facts];
export const sweeps: readonly Sweep[] = [...workbench.sweeps];
