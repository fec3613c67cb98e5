import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { taskFeedbackRows, taskRows } from "../../tasks/shared-rows.ts";
import type { LoadedApproval } from "../decisions/load.ts";
import { storedAction } from "../decisions/rules.ts";
import { party } from "../party.ts";
import type { ApprovalRow, MemberKind } from "../requests/store.ts";
import { compare, leavesOf } from "./rules.ts";
import type { SimilarApprovals, SimilarCase } from "./schemas.ts";

const most = 100;
const shown = 10;
/** Bytes; whether a longer input is alike is not looked at. */
const longest = 16_384;

interface Row
  extends Pick<ApprovalRow, "id" | "task_id" | "title" | "status" | "decided_by" | "decided_at" | "reason"> {
  /** Null: it is too long to be compared. */
  readonly input: string | null;
  readonly decider_name: string | null;
  readonly decider_kind: MemberKind | null;
  readonly task_status: string;
}

/** The newest decided approvals of the same agent, skill and tool. Those that people approved and that were used up, or found stale, count as approved. */
const decided = (ctx: ReadContext, { approval }: LoadedApproval): Promise<Row[]> =>
  ctx.db.query<Row>(
    `select a.id, a.task_id, a.title, a.status, a.decided_by, a.decided_at, a.reason,
       case when octet_length(coalesce(a.arguments, t.input)) <= ${longest} then coalesce(a.arguments, t.input) end as input,
       d.name as decider_name, d.kind as decider_kind, t.status as task_status
     from approvals a join ${taskRows} t on t.organization = a.organization and t.environment = a.environment and t.id = a.task_id
       left join ${memberRows} d on d.organization = a.organization and d.id = a.decided_by
     where a.organization = $1 and a.environment = $2 and a.agent = $3 and a.skill = $4 and a.tool is not distinct from $5 and a.id <> $6
       and a.status in ('approved', 'consumed', 'stale', 'rejected', 'changes_requested')
     order by a.id desc limit ${most}`,
    [ctx.scope.organization, ctx.scope.environment, approval.agent, approval.skill, approval.tool, approval.id],
  );

interface Feedback {
  readonly task_id: string;
  readonly accepted: boolean | null;
  readonly rating: number | null;
  readonly created_at: Date;
}

/** What people said of tasks later, the newest word first. */
const feedbackOf = (ctx: ReadContext, tasks: readonly string[]): Promise<Feedback[]> =>
  ctx.db.query<Feedback>(
    `select f.task_id, f.accepted, f.rating, f.created_at from ${taskFeedbackRows} f
     where f.organization = $1 and f.environment = $2 and f.task_id = any($3::text[]) order by f.created_at desc, f.id desc`,
    [ctx.scope.organization, ctx.scope.environment, tasks],
  );

const decisionOf = (status: string): SimilarCase["decision"] =>
  status === "rejected" || status === "changes_requested" ? status : "approved";

/** How like cases were decided, and what came of them. */
export async function similarTo(ctx: ReadContext, loaded: LoadedApproval): Promise<SimilarApprovals> {
  const rows = await decided(ctx, loaded);
  const here = leavesOf(storedAction(loaded.approval, loaded.task).arguments);
  const nearest = rows
    .map((row) => ({
      row,
      ...(row.input === null ? { similarity: 0, differs: [] } : compare(here, leavesOf(parseJson(row.input)))),
    }))
    .sort((a, b) => b.similarity - a.similarity || (a.row.id < b.row.id ? 1 : -1))
    .slice(0, shown);
  const feedback = Map.groupBy(
    await feedbackOf(
      ctx,
      nearest.map(({ row }) => row.task_id),
    ),
    ({ task_id }) => task_id,
  );
  const rejected = rows.filter(({ status }) => decisionOf(status) !== "approved").length;
  return {
    approval_id: loaded.approval.id,
    considered: rows.length,
    approved: rows.length - rejected,
    rejected,
    cases: nearest.map(({ row, similarity, differs }) => ({
      ...caseOf(row, feedback.get(row.task_id) ?? []),
      similarity,
      differs,
    })),
  };
}

function caseOf(row: Row, said: readonly Feedback[]): Omit<SimilarCase, "similarity" | "differs"> {
  return {
    approval_id: row.id,
    task_id: row.task_id,
    title: row.title,
    decision: decisionOf(row.status),
    decided_by: row.decided_by === null ? null : party(row.decided_by, row.decider_name, row.decider_kind),
    decided_at: isoTime(row.decided_at),
    reason: row.reason,
    outcome: {
      task_status: row.task_status,
      accepted: said.find(({ accepted }) => accepted !== null)?.accepted ?? null,
      rating: said.find(({ rating }) => rating !== null)?.rating ?? null,
      feedback_at: isoTime(said[0]?.created_at ?? null),
    },
  };
}
