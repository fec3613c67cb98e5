import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleReview } from "../../example.ts";
import { Review } from "../../schemas.ts";
import { listReviews as readPage } from "../store.ts";
import { reviewView } from "../view.ts";

export const listReviews = defineList({
  id: "evaluations.listReviews",
  path: "/v1/evaluations/reviews",
  summary: "List tasks drawn for review",
  description:
    "Oldest first. Open ones are those that the caller has not judged; they show neither trust score, version nor the verdicts of others.",
  filters: {
    agent: Type.Optional(Type.String({ description: "Tasks of this agent." })),
    state: Type.Optional(Type.Enum(["open", "judged"] as const, { description: "Whether it is open." })),
  },
  item: Review,
  example: { item: exampleReview },
  permission: "tasks:read",
  narrowing: limitedTo("lists tasks of the key's agents"),
  compliance: governs("review.read"),
  audit: "reviews",
  sort: "sampled_at",
  read: readPage,
  position: (row) => row.review_id,
  view: (row, ctx) => reviewView(ctx, row),
});
