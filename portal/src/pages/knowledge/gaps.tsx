import { Link } from "@tanstack/react-router";
import {
  type Base,
  type Document,
  type Gap,
  listGaps,
  listStale,
  reviewDocument,
  touched,
} from "../../api/knowledge.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { documentLink } from "./document-parts.tsx";

/** Questions that found nothing good, and documents that are past their review. */
export function Gaps({ base }: { readonly base: Base }) {
  return (
    <div className="grid gap-4">
      <Questions base={base} />
      <Stale base={base} />
    </div>
  );
}

function Questions({ base }: { readonly base: Base }) {
  const { data, error } = useLive(listGaps(base.name), { every: 6000 });
  return (
    <Card title="Questions that found nothing good" flush>
      {error ? <ErrorState error={error} className="m-4" /> : null}
      {data === undefined && !error ? (
        <div className="p-4">
          <Skeleton lines={4} />
        </div>
      ) : null}
      {data?.data.length === 0 ? (
        <EmptyState title="No gaps so far">
          Each search of a person or an agent that finds nothing good is listed here, so that you know which document is
          missing.
        </EmptyState>
      ) : null}
      {data && data.data.length > 0 ? (
        <Table label="Gaps" columns={gapColumns(base.name)} rows={data.data} rowKey={({ question }) => question} />
      ) : null}
    </Card>
  );
}

const gapColumns = (base: string): readonly Column<Gap>[] => [
  {
    name: "Question",
    cell: ({ question, wordings }) => (
      <span className="grid gap-0.5">
        <Link
          to="/knowledge/bases/$base"
          params={{ base }}
          search={{ tab: "search", q: question }}
          className="font-medium break-words hover:underline"
        >
          {question}
        </Link>
        {wordings
          .filter((wording) => wording !== question)
          .slice(0, 3)
          .map((wording) => (
            <span key={wording} className="text-xs break-words text-muted">
              {wording}
            </span>
          ))}
      </span>
    ),
  },
  {
    name: "State",
    cell: ({ resolved_at }) =>
      resolved_at ? <Badge tone="good">Answered since</Badge> : <Badge tone="warn">Open</Badge>,
  },
  {
    name: "Asked by",
    wideOnly: true,
    cell: ({ agents, by_people }) => (
      <span className="text-muted">{[...agents, ...(by_people ? ["people"] : [])].join(", ")}</span>
    ),
  },
  {
    name: "Best now",
    wideOnly: true,
    cell: ({ best }) =>
      best === null ? (
        <span className="text-muted">nothing</span>
      ) : (
        documentLink({ base, document_id: best.document_id }, best.title || best.document_id)
      ),
  },
  { name: "Asked", right: true, cell: ({ asked }) => <span className="tabular-nums">{counted(asked, "time")}</span> },
  {
    name: "Last",
    right: true,
    cell: ({ last_asked_at }) => <RelativeTime time={last_asked_at} className="text-muted" />,
  },
];

function Stale({ base }: { readonly base: Base }) {
  const { data, error } = useLive(listStale(base.name), { every: 10_000 });
  const mayWrite = useMay("knowledge:write");
  if (error) return <ErrorState error={error} />;
  if (data === undefined || data.data.length === 0)
    return base.review_days === null ? null : (
      <p className="text-sm text-muted">No document is past its review of every {counted(base.review_days, "day")}.</p>
    );
  const review: Column<Document> = {
    name: "Actions",
    right: true,
    cell: (document) => <Reviewed base={base.name} document={document} />,
  };
  return (
    <Card title="Past their review" flush>
      <Table
        label="Documents past their review"
        columns={mayWrite ? [...staleColumns, review] : staleColumns}
        rows={data.data}
        rowKey={({ document_id }) => document_id}
      />
    </Card>
  );
}

const staleColumns: readonly Column<Document>[] = [
  { name: "Document", cell: (document) => documentLink(document, document.title) },
  { name: "Due", right: true, cell: ({ review_at }) => <RelativeTime time={review_at} className="text-muted" /> },
];

/** Says that a document still holds. */
function Reviewed({ base, document }: { readonly base: string; readonly document: Document }) {
  const change = useChange(reviewDocument, touched.documents);
  const say = (): void =>
    void change
      .mutateAsync({ base, document: document.document_id })
      .then(() => toast(`${document.title} still holds.`), toastProblem);
  return (
    <Button size="small" busy={change.isPending} aria-label={`${document.title} still holds`} onClick={say}>
      Still holds
    </Button>
  );
}
