import type { FactSet } from "../../kernel/facts.ts";
import { approve } from "./operations/approve.ts";
import { listApprovals } from "./operations/list-approvals.ts";
import { readApproval } from "./operations/read-approval.ts";
import { reject } from "./operations/reject.ts";

export const operations = [listApprovals, readApproval, approve, reject];

/** Approvals are never decided from memory. */
export const facts: readonly FactSet<unknown>[] = [];
