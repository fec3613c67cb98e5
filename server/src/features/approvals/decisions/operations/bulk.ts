import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleDecided, exampleDetail } from "../../example.ts";
import { BulkAnswer, BulkBody } from "../../schemas.ts";
import { approve } from "./approve.ts";
import { reject } from "./reject.ts";

export const bulk = defineBatch({
  id: "approvals.bulk",
  path: "/v1/approvals/bulk",
  listed: true,
  summary: "Decide many",
  description:
    "Up to a hundred votes. Each is checked, decided, recorded and answered on its own, as if it had been sent alone; one that is refused keeps no other from " +
    "being taken. Only persons decide.",
  body: BulkBody,
  output: BulkAnswer,
  example: {
    body: { items: [{ approval: exampleDetail.approval_id, decision: "approve", digest: exampleDetail.digest }] },
    output: {
      batch_id: "bat_01jd8x0000000000000000000h",
      succeeded: 1,
      failed: 0,
      results: [{ index: 0, status: 200, body: exampleDecided("approved", null) }],
    },
  },
  permission: "approvals:decide",
  load: exempt("each item names its own approval"),
  narrowing: limitedTo("each vote is a call of its own, held to the agent of its task"),
  gate: exempt("each vote is a call of its own; running what was approved is one as well"),
  decides: exempt("approves or rejects calls as they are; takes no edits"),
  compliance: governs("approval.bulk"),
  audit: "approvals",
  async handle(ctx, { body }) {
    const outcomes = await Promise.all(
      body.items.map(({ approval, decision, ...ballot }, index) =>
        ctx.call(decision === "approve" ? approve : reject, { params: { approval }, body: ballot, index }),
      ),
    );
    const results = outcomes.map(({ status, body }, index) => ({
      index,
      status,
      body: body as Record<string, unknown>,
    }));
    const succeeded = results.filter(({ status }) => status < 400).length;
    return { batch_id: ctx.id, succeeded, failed: results.length - succeeded, results };
  },
});
