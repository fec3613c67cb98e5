import { useState } from "react";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { openReviews, type Review, submitReview } from "../../api/reviews.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { ValueTable } from "../../ui/code.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { Monitors } from "./monitors.tsx";

/** Tasks that chance chose, one after the other, each judged by one key. */
export function ReviewsPage() {
  const { data } = usePrefetched(openReviews(), { every: 15_000 });
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [current] = data.data.filter(({ review_id }) => !skipped.includes(review_id));
  const waiting = `${data.has_more ? "more than " : ""}${counted(data.data.length, "task")}`;
  return (
    <>
      <PageHead
        title="Reviews"
        lead="Randomly drawn tasks. Your verdicts show how often outcomes are right; feedback alone cannot, because people mostly report what looks wrong."
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {current ? (
          <Judging
            key={current.review_id}
            review={current}
            waiting={waiting}
            onSkip={() => setSkipped([...skipped, current.review_id])}
          />
        ) : (
          <Card>
            <EmptyState title={data.data.length > 0 ? "You skipped the rest" : "No reviews pending"}>
              {data.data.length > 0 ? (
                <Button onClick={() => setSkipped([])}>Show what you skipped</Button>
              ) : (
                "Completed tasks appear here when a monitor draws them."
              )}
            </EmptyState>
          </Card>
        )}
        <Monitors />
      </div>
    </>
  );
}

function Judging({
  review,
  waiting,
  onSkip,
}: {
  readonly review: Review;
  readonly waiting: string;
  readonly onSkip: () => void;
}) {
  const may = useMay("tasks:feedback");
  const change = useChange(submitReview, ["/v1/evaluations/reviews", "/v1/evaluations/monitors"]);
  const judge = (accepted: boolean): void => {
    if (may && !change.isPending) void change.mutateAsync({ review: review.review_id, accepted }).catch(toastProblem);
  };
  useShortcuts("Reviews", [
    { keys: "y", label: "The outcome is right", run: () => judge(true) },
    { keys: "n", label: "The outcome is wrong", run: () => judge(false) },
    { keys: "s", label: "Skip", run: onSkip },
  ]);
  return (
    <Card title={`${review.agent} · ${review.skill}`} aside={<span className="text-sm text-muted">{waiting}</span>}>
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          Drawn <RelativeTime time={review.sampled_at} />. Its trust score and version are hidden, so that your verdict
          is your own.
        </p>
        <section aria-label="Asked" className="grid gap-1">
          <h3 className="text-sm font-semibold">Asked</h3>
          <ValueTable value={review.input} label="Input" />
        </section>
        <section aria-label="Answered" className="grid gap-1">
          <h3 className="text-sm font-semibold">Answered</h3>
          {review.output === null ? (
            <p className="text-sm text-muted">The answer is no longer there.</p>
          ) : (
            <ValueTable value={review.output} label="Output" />
          )}
        </section>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" busy={change.isPending} disabled={!may} shortcut="y" onClick={() => judge(true)}>
            Right
          </Button>
          <Button kind="refuse" busy={change.isPending} disabled={!may} shortcut="n" onClick={() => judge(false)}>
            Wrong
          </Button>
          <Button kind="quiet" shortcut="s" onClick={onSkip}>
            Skip
          </Button>
        </div>
        {may ? null : <p className="text-sm text-muted">Your role may look, but not judge.</p>}
      </div>
    </Card>
  );
}
