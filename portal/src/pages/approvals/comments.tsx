import { type FormEvent, useState } from "react";
import { createComment, listComments, listDeciders } from "../../api/approvals.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import type { Detail } from "./words.ts";

/** What people wrote to each other about it. */
export function Comments({ approval }: { readonly approval: Detail }) {
  const { data, error } = useLive(listComments(approval.approval_id), { every: 10_000 });
  const mayComment = useMay("approvals:comment");
  if (data?.data.length === 0 && !mayComment) return null;
  return (
    <Card title="Comments" aside={<span className="text-xs text-muted">for people; no agent reads them</span>}>
      {error && !data ? <ErrorState error={error} /> : null}
      {data === undefined && !error ? <Skeleton lines={2} /> : null}
      {data && data.data.length > 0 ? (
        <ol aria-label="Comments" className="mb-4 grid gap-3 text-sm">
          {data.data.toReversed().map((one) => (
            <li key={one.comment_id}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium">{one.author.name}</span>
                <RelativeTime time={one.created_at} className="text-xs text-muted" />
              </p>
              <p className="wrap-anywhere whitespace-pre-wrap">{textOf(one)}</p>
            </li>
          ))}
        </ol>
      ) : null}
      {mayComment ? <Write id={approval.approval_id} /> : null}
    </Card>
  );
}

/** The text with the names of those it mentions. */
const textOf = ({ text, mentions }: Schema<"ApprovalComment">): string =>
  visible(mentions.reduce((said, { id, name }) => said.replaceAll(`@${id}`, `@${name}`), text));

function Write({ id }: { readonly id: string }) {
  const change = useChange(createComment, ["/v1/approvals/{approval}/comments", "/v1/approvals/{approval}/history"]);
  const { data: deciders } = useLive(listDeciders());
  const [text, setText] = useState("");
  const [mentioned, setMentioned] = useState<readonly string[]>([]);
  const people = deciders?.data ?? [];
  const nameOf = (member: string): string => people.find((one) => one.id === member)?.name ?? member;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const said = [...mentioned.map((member) => `@${member}`), text.trim()].join(" ");
    const onSuccess = (): void => {
      setText("");
      setMentioned([]);
    };
    change.mutate({ approval: id, text: said }, { onSuccess });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextArea
        label="Comment"
        rows={2}
        maxLength={3000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        fault={change.error?.detail ?? null}
      />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select
          label="Mention"
          value=""
          onChange={(event) => setMentioned([...new Set([...mentioned, event.target.value])])}
          hint={mentioned.length === 0 ? undefined : mentioned.map((member) => `@${nameOf(member)}`).join(" ")}
        >
          <option value="">Nobody else</option>
          {people.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        <Button type="submit" busy={change.isPending} disabled={text.trim() === ""}>
          Comment
        </Button>
      </div>
    </form>
  );
}
