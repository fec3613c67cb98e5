import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { bulk } from "../operations/bulk.ts";
import { delegate } from "../operations/delegate.ts";
import { expireApproval } from "../operations/expire-approval.ts";
import { remind } from "../operations/remind.ts";
import { requestChanges } from "../operations/request-changes.ts";
import { expireApprovals, remindOfApprovals } from "../sweep.ts";

// What people do with approvals besides voting, and what machines do for them.

export const operations: readonly Operation[] = [requestChanges, delegate, bulk, expireApproval, remind];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [expireApprovals, remindOfApprovals];
