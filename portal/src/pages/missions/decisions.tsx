import { useState } from "react";
import { answerDecision, type Decision } from "../../api/missions.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { JsonView } from "../../ui/code.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { touched } from "./touched.ts";

const kinds: Readonly<Record<Decision["kind"], string>> = {
  question: "A question",
  failure: "A step failed",
  budget: "The budget does not suffice",
  deadline: "The deadline has passed",
};

/** A question that waits for people, and its answer. */
export function OpenDecision({ decision }: { readonly decision: Decision }) {
  const change = useChange(answerDecision, touched);
  const mayWrite = useMay("missions:write");
  const [comment, setComment] = useState("");
  const answer = (text: string): void =>
    change.mutate(
      {
        mission: decision.mission_id,
        decision: decision.decision_id,
        answer: text,
        ...(comment.trim() === "" ? {} : { comment: comment.trim() }),
      },
      { onSuccess: () => toast("Answer recorded.") },
    );
  const words = decision.options.length === 0;
  return (
    <Notice tone="warn">
      <div className="grid gap-3">
        <p className="text-muted">
          {kinds[decision.kind]}, <RelativeTime time={decision.asked_at} />
        </p>
        <p className="font-medium whitespace-pre-wrap">{decision.question}</p>
        {Object.keys(decision.context).length > 0 ? (
          <JsonView value={decision.context} label="What it is about" />
        ) : null}
        {mayWrite ? (
          <>
            <TextArea
              label={words ? "Your answer" : "Comment"}
              rows={2}
              maxLength={4000}
              value={comment}
              onChange={(event) => setComment(event.target.value)}
            />
            <div className="flex flex-wrap gap-2">
              {words ? (
                <Button
                  kind="primary"
                  busy={change.isPending}
                  disabled={comment.trim() === ""}
                  onClick={() =>
                    change.mutate(
                      { mission: decision.mission_id, decision: decision.decision_id, answer: comment.trim() },
                      { onSuccess: () => toast("Answer recorded.") },
                    )
                  }
                >
                  Answer
                </Button>
              ) : (
                decision.options.map(({ id, label }) => (
                  <Button key={id} busy={change.isPending} onClick={() => answer(id)}>
                    {label}
                  </Button>
                ))
              )}
            </div>
          </>
        ) : (
          <p>It waits for somebody who may answer: that takes the permission missions:write.</p>
        )}
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Notice>
  );
}
