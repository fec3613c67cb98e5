import { Link } from "@tanstack/react-router";
import { readKnowledgeFigures } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { counted, percent } from "../../../lib/words.ts";
import { Card } from "../../../ui/card.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { HeadLine } from "../frame.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

type Knowledge = Schema<"KnowledgeFigures">;
type Base = Knowledge["bases"][number];
type Gap = Knowledge["gaps"][number];
type Unused = Knowledge["unused"][number];

const rate = (hit: Base["hit_rate"]): string =>
  hit === null ? "–" : `${percent(hit.value)} (${percent(hit.low)} to ${percent(hit.high)})`;

/** Whether knowledge bases have what is asked of them. */
export function KnowledgeView({ search }: ViewProps) {
  const { data } = usePrefetched(readKnowledgeFigures(search), { every: 60_000 });
  const names = new Map(data.bases.map(({ base_id, name }) => [base_id, name]));
  const nameOf = (base: string): string => names.get(base) ?? base;
  return (
    <>
      <HeadLine head={data} />
      <p className="text-sm">
        <strong className="text-2xl font-semibold tracking-tight">{rate(data.hit_rate)}</strong>{" "}
        <span className="text-muted">of {counted(data.questions, "search", "searches")} answered well</span>
      </p>
      <Trend
        title="Answered well"
        head={data}
        points={data.series}
        range={[0, 1]}
        lines={[{ member: "hit_rate", name: "Answered well" }]}
      />
      <ListCard
        title="Bases"
        rows={data.bases}
        columns={baseColumns}
        rowKey={({ base_id }) => base_id}
        empty="No bases."
      />
      <ListCard
        title="Asked without a good answer"
        rows={data.gaps}
        columns={gapColumns(nameOf)}
        rowKey={({ base_id, question }) => `${base_id} ${question}`}
        empty="Every question had a good answer."
      />
      <ListCard
        title="Documents that nobody needed"
        rows={data.unused}
        columns={unusedColumns(nameOf)}
        rowKey={({ document_id }) => document_id}
        empty="Every document was found by some search."
      />
    </>
  );
}

interface ListProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly empty: string;
}

function ListCard<Row>({ title, rows, columns, rowKey, empty }: ListProps<Row>) {
  return (
    <Card title={title} flush>
      {rows.length === 0 ? (
        <p className="px-5 py-6 text-sm text-muted">{empty}</p>
      ) : (
        <Table label={title} columns={columns} rows={rows} rowKey={rowKey} />
      )}
    </Card>
  );
}

const baseColumns: readonly Column<Base>[] = [
  {
    name: "Base",
    cell: ({ name }) => (
      <Link to="/knowledge/bases/$base" params={{ base: name }} className="font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  { name: "Searches", right: true, cell: ({ questions }) => questions.toLocaleString("en") },
  { name: "Answered well", right: true, cell: ({ hit_rate }) => rate(hit_rate) },
  { name: "Documents", right: true, cell: ({ documents }) => documents.toLocaleString("en") },
  { name: "Unused", right: true, cell: ({ unused }) => unused.toLocaleString("en") },
  { name: "Review due", right: true, cell: ({ stale }) => stale.toLocaleString("en") },
];

const gapColumns = (nameOf: (base: string) => string): readonly Column<Gap>[] => [
  { name: "Question", cell: ({ question }) => <span className="wrap-anywhere">{question}</span> },
  {
    name: "Base",
    cell: ({ base_id }) => (
      <Link
        to="/knowledge/bases/$base"
        params={{ base: nameOf(base_id) }}
        search={{ tab: "gaps" }}
        className="underline underline-offset-2"
      >
        {nameOf(base_id)}
      </Link>
    ),
  },
  { name: "Asked", right: true, cell: ({ asked }) => counted(asked, "time") },
  {
    name: "Last",
    right: true,
    cell: ({ last_asked_at }) => <RelativeTime time={last_asked_at} className="text-muted" />,
  },
];

const unusedColumns = (nameOf: (base: string) => string): readonly Column<Unused>[] => [
  {
    name: "Document",
    cell: ({ title, document_id, base_id }) => (
      <Link
        to="/knowledge/bases/$base/documents/$document"
        params={{ base: nameOf(base_id), document: document_id }}
        className="font-medium hover:underline"
      >
        {title}
      </Link>
    ),
  },
  { name: "Base", cell: ({ base_id }) => nameOf(base_id) },
  {
    name: "Last found",
    right: true,
    cell: ({ last_retrieved_at }) =>
      last_retrieved_at === null ? "never" : <RelativeTime time={last_retrieved_at} className="text-muted" />,
  },
];
