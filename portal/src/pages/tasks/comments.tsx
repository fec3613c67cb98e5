import type { FormEvent } from "react";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { addComment, listComments } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

type Comment = Schema<"TaskComment">;

/** What people wrote about a task, for each other and for its agent. */
export function Comments({ task, every }: { readonly task: Schema<"Task">; readonly every: number | false }) {
  const { data, error } = useLive(listComments(task.task_id), { every });
  const mayWrite = useMay("tasks:write");
  return (
    <Card title="Comments">
      <div className="grid gap-4 text-sm">
        {error ? <ErrorState error={error} /> : data ? <Written comments={data.data} /> : <Skeleton lines={2} />}
        {mayWrite ? <Write task={task} /> : null}
      </div>
    </Card>
  );
}

function Written({ comments }: { readonly comments: readonly Comment[] }) {
  if (comments.length === 0) return <p className="text-muted">Nobody has commented yet.</p>;
  return (
    <ul className="grid gap-3">
      {comments.map((comment) => (
        <li key={comment.comment_id} className="grid gap-1 border-l-2 border-line pl-3">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
            <span className="font-medium text-ink">{comment.author.name}</span>
            <RelativeTime time={comment.created_at} />
            <Reader comment={comment} />
          </span>
          {comment.text === null ? (
            <span className="text-muted">The text was erased.</span>
          ) : (
            <p className="whitespace-pre-wrap break-words">{comment.text}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Reader({ comment }: { readonly comment: Comment }) {
  if (!comment.for_agent) return <Badge>people only</Badge>;
  return comment.read_at === null ? <Badge>not read by the agent</Badge> : <Badge tone="good">read by the agent</Badge>;
}

function Write({ task }: { readonly task: Schema<"Task"> }) {
  const change = useChange(addComment, ["/v1/tasks/{task}/comments"]);
  // The agent of a conversation reads its messages.
  const isForPeople = task.conversation_id !== null;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    change.mutate(
      { task: task.task_id, text: String(given.get("text")), for_agent: given.get("for_agent") === "on" },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextArea name="text" label="Comment" rows={2} maxLength={2000} required />
      {isForPeople ? null : (
        <label className="flex items-start gap-2">
          <input type="checkbox" name="for_agent" defaultChecked className="mt-0.5 size-4 accent-accent" />
          <span>
            The agent reads it at its next turn, as data.{" "}
            <span className="text-muted">You then cannot approve alone what it asks for.</span>
          </span>
        </label>
      )}
      <div>
        <Button type="submit" busy={change.isPending}>
          Add comment
        </Button>
      </div>
      {change.error ? <ErrorState error={change.error} /> : null}
    </form>
  );
}
