import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleReview } from "../reviews/example.ts";
import { listReviews as readPage } from "../reviews/store.ts";
import { reviewView } from "../reviews/view.ts";
import { Review } from "../schemas.ts";

export const listReviews = defineRead({
  id: "evaluations.listReviews",
  path: "/v1/evaluations/reviews",
  summary: "List tasks drawn for review",
  description:
    "Oldest first. Of those that still want a verdict, the ones that the caller has not judged; they show neither trust score, version nor the verdicts of others.",
  query: listQuery({
    agent: Type.Optional(Type.String({ description: "Tasks of this agent." })),
    state: Type.Optional(Type.Enum(["open", "judged"] as const, { description: "Whether a verdict is still wanted." })),
  }),
  output: pageSchema(Review),
  example: { output: { data: [exampleReview], has_more: false, next_cursor: null } },
  permission: "tasks:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists tasks of the key's agents"),
  compliance: governs("review.read"),
  audit: "reviews",
  handle(ctx, { query: { limit, cursor, ...filter } }) {
    return listPage(ctx, { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }, filter, {
      sort: "drawn_at",
      read: (page) => readPage(ctx, filter, page),
      positionOf: (row) => ({ keys: [], id: row.review_id }),
      item: (row) => reviewView(ctx, row),
    });
  },
});
