import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, notFound, resultNotIntact } from "../../../../kernel/problems.ts";
import { feedbackFaults, intact, loadJudged, recordOutcome } from "../../../tasks/public.ts";
import { exampleReview } from "../../example.ts";
import { Review, ReviewBody, ReviewId } from "../../schemas.ts";
import { findReview, insertVerdict, lockReview, personsBehind, type ReviewRow } from "../store.ts";
import { reviewView } from "../view.ts";

type Loaded = ReviewRow & { readonly task: NonNullable<Awaited<ReturnType<typeof loadJudged>>> };

async function load(ctx: ReadContext, id: string): Promise<Loaded | undefined> {
  const review = await findReview(ctx, id);
  const task = review && (await loadJudged(ctx, review.id));
  return review && task && { ...review, task };
}

export const submitReview = defineOperation({
  id: "evaluations.submitReview",
  method: "POST",
  path: "/v1/evaluations/reviews/{review}",
  status: 201,
  summary: "Judge a task drawn for review",
  description:
    "Says whether the outcome was right. The first verdict on a task is a label for the trust score that nobody volunteered; a second one only shows how far reviewers agree, and must come from another person.",
  params: Type.Object({ review: ReviewId }),
  body: ReviewBody,
  output: Review,
  example: {
    params: { review: exampleReview.review_id },
    body: { accepted: true },
    output: {
      ...exampleReview,
      state: "judged",
      verdicts_received: 1,
      verdicts: [
        {
          reviewer: "mbr_01jd8x0q3v7w9y2z4a6b8c0d1e",
          accepted: true,
          comment: null,
          submitted_at: "2026-11-20T09:10:00.000Z",
        },
      ],
    },
  },
  permission: "tasks:feedback",
  load: (ctx, { review }) => load(ctx, review),
  validate: (_ctx, { loaded: { task }, body }) => feedbackFaults(task, task.judge, body),
  gate: exempt("speaks about work that is done, starts none"),
  decides: ["training", "rules"],
  compliance: governs("review.submit"),
  audit: ({ params, loaded }) => ({
    object: `review:${params.review}`,
    task: loaded?.id ?? null,
    ...(loaded ? { subject: loaded.subject } : {}),
  }),
  errors: [conflict, notFound, resultNotIntact],
  async handle(ctx, { loaded: { task, review_id: id }, body }) {
    await lockReview(ctx, id);
    const review = await findReview(ctx, id);
    if (!review) throw refuse(notFound, "The review is gone.");
    if (!review.open) throw refuse(conflict, "The task has been judged by as many people as were wanted.");
    const own = [ctx.principal.id, ...personsBehind(ctx)];
    if (
      review.verdicts.some(({ reviewer, accountable }) =>
        [reviewer, ...accountable].some((person) => own.includes(person)),
      )
    )
      throw refuse(conflict, "You have judged this task; the second verdict must come from another person.");
    intact(ctx, task);
    const { accepted, comment = null } = body;
    const last = review.verdicts.length + 1 >= review.verdicts_required;
    const verdict = await insertVerdict(ctx, { review_id: id, accepted, comment, last });
    if (review.verdicts.length === 0) await recordOutcome(ctx, task, body, "random");
    return reviewView(ctx, { ...review, open: !last, verdicts: [...review.verdicts, verdict] });
  },
});
