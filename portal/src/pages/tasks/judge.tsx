import { type FormEvent, useState } from "react";
import { useChange } from "../../api/queries.ts";
import { judgeTask } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** Says what became of an outcome: evidence for the trust score, and, where it is corrected, an example to learn from. */
export function Judge({ task }: { readonly task: Schema<"Task"> }) {
  const change = useChange(judgeTask, ["/v1/tasks/{task}/feedback"]);
  const [correcting, setCorrecting] = useState(false);
  const [unread, setUnread] = useState<string | null>(null);
  const send = (body: Omit<Parameters<typeof judgeTask>[0], "task">): void =>
    change.mutate(
      { task: task.task_id, ...body },
      {
        onSuccess: () => {
          toast("Feedback recorded. It counts toward the trust score.");
          setCorrecting(false);
        },
      },
    );
  const correct = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const comment = String(form.get("comment"));
    try {
      const correction = JSON.parse(String(form.get("correction"))) as Record<string, unknown>;
      setUnread(null);
      send({ accepted: false, correction, ...(comment === "" ? {} : { comment }) });
    } catch {
      setUnread("is no JSON: check quotes, commas and braces");
    }
  };
  return (
    <Card title="Was the outcome right?">
      <div className="grid gap-4 text-sm">
        <p className="text-muted">Your verdict counts for the trust score, and training can learn from it.</p>
        <div className="flex flex-wrap gap-2">
          <Button busy={change.isPending} onClick={() => send({ accepted: true })}>
            Yes
          </Button>
          <Button busy={change.isPending} onClick={() => send({ accepted: false })}>
            No
          </Button>
          <Button aria-expanded={correcting} onClick={() => setCorrecting(!correcting)}>
            No, correct it…
          </Button>
        </div>
        {correcting ? (
          <form onSubmit={correct} className="grid gap-3">
            <TextArea
              name="correction"
              mono
              rows={6}
              label="Correct output"
              defaultValue={JSON.stringify(task.output ?? {}, null, 2)}
              spellCheck={false}
              fault={
                unread ?? change.error?.faults.find(({ pointer }) => pointer?.startsWith("/correction"))?.detail ?? null
              }
            />
            <Field name="comment" label="Comment" maxLength={2000} />
            <div>
              <Button kind="primary" type="submit" busy={change.isPending}>
                Submit correction
              </Button>
            </div>
          </form>
        ) : null}
        {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
      </div>
    </Card>
  );
}
