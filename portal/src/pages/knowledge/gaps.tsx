import { Link } from "@tanstack/react-router";
import { useState } from "react";
import {
  type Base,
  type Document,
  type Gap,
  listGaps,
  listStale,
  reviewDocument,
  searchKnowledge,
  touched,
} from "../../api/knowledge.ts";
import { useChange, useKept, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { AddText } from "./add-document.tsx";
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
  const open = useLive(listGaps(base.name, false), { every: 6000 });
  const answered = useLive(listGaps(base.name, true), { every: 6000 });
  const mayWrite = useMay("knowledge:write");
  const [question, setQuestion] = useState<string | null>(null);
  const error = open.error ?? answered.error;
  if (error) return <ErrorState error={error} />;
  if (open.data === undefined || answered.data === undefined) return <Skeleton lines={4} />;
  const gaps = open.data.data;
  const closed = answered.data.data;
  return (
    <>
      <Card title="Open gaps" aside={gaps.length === 0 ? null : <Count of={gaps} />} flush>
        {gaps.length === 0 ? (
          <EmptyState title={closed.length === 0 ? "No gaps so far" : "No open gaps"}>
            Each search of a person or an agent that finds nothing good is listed here, so that you know which document
            is missing.
          </EmptyState>
        ) : (
          <>
            <p className="px-4 pt-3 pb-1.5 text-sm text-muted sm:px-5">
              Searches found nothing good for these. Add a document that answers one, then ask again: a question that
              finds a good passage counts as answered.
            </p>
            <Table
              label="Gaps"
              columns={[...columnsOf(base.name), nextStep(base.name, mayWrite, setQuestion)]}
              rows={gaps}
              rowKey={({ question }) => question}
            />
          </>
        )}
      </Card>
      {closed.length === 0 ? null : (
        <Card title="Answered since" aside={<Count of={closed} />} flush>
          <Table
            label="Answered gaps"
            columns={[...columnsOf(base.name), resolved]}
            rows={closed}
            rowKey={({ question }) => question}
          />
        </Card>
      )}
      <AddText
        base={base.name}
        open={question !== null}
        question={question ?? undefined}
        onClose={() => setQuestion(null)}
      />
    </>
  );
}

const Count = ({ of }: { readonly of: readonly Gap[] }) => (
  <span className="text-sm text-muted">{counted(of.length, "question")}</span>
);

const columnsOf = (base: string): readonly Column<Gap>[] => [
  {
    name: "Question",
    cell: ({ question, wordings }) => (
      <span className="grid gap-0.5">
        <span className="font-medium break-words">{question}</span>
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
    name: "Asked by",
    wideOnly: true,
    cell: ({ agents, by_people }) => (
      <span className="text-muted">{[...agents, ...(by_people ? ["people"] : [])].join(", ")}</span>
    ),
  },
  {
    name: "Asked",
    right: true,
    cell: ({ asked, last_asked_at }) => (
      <span className="grid">
        <span className="tabular-nums">{counted(asked, "time")}</span>
        <RelativeTime time={last_asked_at} className="text-xs text-muted" />
      </span>
    ),
  },
  {
    name: "Best passage now",
    cell: ({ best }) =>
      best === null ? (
        <span className="text-muted">none</span>
      ) : (
        documentLink({ base, document_id: best.document_id }, best.title || best.document_id)
      ),
  },
];

const resolved: Column<Gap> = {
  name: "Answered",
  right: true,
  cell: ({ resolved_at }) => <RelativeTime time={resolved_at} className="text-muted" />,
};

const nextStep = (base: string, mayWrite: boolean, answer: (question: string) => void): Column<Gap> => ({
  name: "Next",
  right: true,
  cell: ({ question, best }) => (
    <span className="flex flex-wrap gap-1.5 sm:justify-end">
      {mayWrite ? (
        <Button size="small" aria-label={`Add a document that answers: ${question}`} onClick={() => answer(question)}>
          Add a document
        </Button>
      ) : null}
      <AskAgain base={base} question={question} kind={best === null ? "quiet" : "plain"} />
    </span>
  ),
});

interface AskAgainProps {
  readonly base: string;
  readonly question: string;
  readonly kind: "quiet" | "plain";
}

/** Searches for it once more, whatever was found before. */
function AskAgain({ base, question, kind }: AskAgainProps) {
  const { again } = useKept();
  return (
    <Link
      to="/knowledge/bases/$base"
      params={{ base }}
      search={{ tab: "search", q: question }}
      aria-label={`Ask again: ${question}`}
      className={buttonClass(kind, "small")}
      onClick={() => void again(searchKnowledge({ query: question, bases: [base] }))}
    >
      Ask again
    </Link>
  );
}

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
      .mutateAsync({ base, document: document.document_id, version: document.version })
      .then(() => toast(`${document.title} still holds.`), toastProblem);
  return (
    <Button size="small" busy={change.isPending} aria-label={`${document.title} still holds`} onClick={say}>
      Still holds
    </Button>
  );
}
