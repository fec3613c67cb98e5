import { type Static, Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { listPage, listQuery, pageSchema } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { RiskLevel } from "../../../tasks/schemas.ts";
import { holdsDecidePermission } from "../../decisions/rules.ts";
import { type ApprovalFilter, countPending, deciderOf, listApprovals as readPage } from "../../decisions/store.ts";
import { exampleApproval } from "../../example.ts";
import { Approval, ApprovalStatus, PendingCounts } from "../../schemas.ts";
import { withStandIns } from "../stand-ins.ts";
import { approvalView, withHolds } from "../view.ts";

const Query = listQuery({
  status: Type.Optional(
    Type.Array(ApprovalStatus, {
      default: ["pending"],
      description: "States, separated by commas; default `pending`.",
    }),
  ),
  agent: commaList(AgentName, "Agents by name"),
  risk: commaList(RiskLevel, "Risk levels"),
  run: Type.Optional(Type.String({ description: "The run of a workflow whose steps wait for them, `wfr_…`." })),
  mine: Type.Optional(
    Type.Boolean({
      description:
        "Only what the caller may decide now, as `may_decide` says: pending, not yet voted on, not handed on, not asked for or edited by the caller where that is barred, and not where a personal sign-in is missing.",
    }),
  ),
});

export const listApprovals = defineRead({
  id: "approvals.listApprovals",
  path: "/v1/approvals",
  listed: true,
  summary: "List approvals",
  description: "The inbox: what waits for people, newest first, with counts by risk. Filters narrow together.",
  query: Query,
  output: Type.Object({ ...pageSchema(Approval).properties, counts: PendingCounts }),
  example: {
    output: {
      data: [exampleApproval],
      has_more: false,
      next_cursor: null,
      counts: { low: 0, medium: 1, high: 0, critical: 0, total: 1, mine: null },
    },
  },
  permission: "approvals:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists approvals of tasks of the key's agents"),
  compliance: governs("approval.read"),
  audit: "approvals",
  async handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const forNobody = isForNobody(ctx, query);
    const narrowed = await storeFilter(ctx, query);
    const page = await listPage(ctx, query, filter, {
      sort: "-created_at",
      read: async (request) => {
        const rows = forNobody ? [] : await readPage(ctx, narrowed, request);
        return withStandIns(ctx, await withHolds(ctx, rows), ({ row }) => row.id);
      },
      positionOf: ({ row: { row } }) => ({ keys: [], id: row.id }),
      item: ({ row: { row, held }, standingInFor }) => approvalView(row, ctx, { held, standingInFor }),
    });
    const counts = await countPending(ctx, forNobody ? undefined : narrowed.decidableBy);
    return { ...page, counts: { ...counts, mine: forNobody ? 0 : counts.mine } };
  },
});

/** Who cannot decide anything has nothing that is theirs to decide. */
function isForNobody({ principal }: ReadContext, query: Static<typeof Query>): boolean {
  return query.mine === true && (principal.kind !== "member" || !holdsDecidePermission(principal));
}

async function storeFilter(
  ctx: ReadContext,
  { status, agent, risk, run, mine }: Static<typeof Query>,
): Promise<ApprovalFilter> {
  return {
    ...(status && { status }),
    ...(agent && { agent }),
    ...(risk && { risk }),
    ...(run !== undefined && { run }),
    ...(mine && { decidableBy: await deciderOf(ctx) }),
  };
}
