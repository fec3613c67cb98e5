import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Base, type Document, reindexDocument, touched } from "../../api/knowledge.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Chips, Field } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { AddText, AddUrl } from "./add-document.tsx";
import { documentLink, isMoving, StateOfDocument } from "./document-parts.tsx";
import { documentsOf } from "./loaders.ts";
import { RemoveDocument } from "./remove.tsx";
import { type BaseSearch, states } from "./search.ts";
import { DropZone } from "./upload.tsx";
import type { Uploads } from "./uploads.ts";
import { sizeText } from "./words.ts";

const route = getRouteApi("/shell/knowledge/bases/$base");
const filters = [
  ["failed", "Failed"],
  ["queued", "Queued"],
  ["parsing", "Parsing"],
  ["indexing", "Indexing"],
  ["indexed", "Indexed"],
] as const;

/** The documents of a base, how each of them does, and where more are added. */
export function Documents({ base, uploads }: { readonly base: Base; readonly uploads: Uploads }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(documentsOf(base.name, search), {
    every: (known) => (known?.data.some(({ state }) => isMoving(state)) ? 1500 : 6000),
  });
  const mayWrite = useMay("knowledge:write");
  const [adding, setAdding] = useState<"url" | "text" | null>(null);
  const [removed, setRemoved] = useState<Document | null>(null);
  return (
    <div className="grid gap-4">
      {mayWrite ? (
        <DropZone base={base.name} uploads={uploads}>
          <Button onClick={() => setAdding("url")}>From a URL</Button>
          <Button onClick={() => setAdding("text")}>Write text</Button>
        </DropZone>
      ) : null}
      <Filters search={search} />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing base={base} search={search} />
        ) : (
          <Table
            label="Documents"
            columns={columnsOf(base.name, data.data, mayWrite, setRemoved)}
            rows={data.data}
            rowKey={({ document_id }) => document_id}
          />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor }, resetScroll: false })}
        />
      </div>
      <AddUrl base={base.name} open={adding === "url"} onClose={() => setAdding(null)} />
      <AddText base={base.name} open={adding === "text"} onClose={() => setAdding(null)} />
      {removed ? <RemoveDocument base={base.name} document={removed} onClose={() => setRemoved(null)} /> : null}
    </div>
  );
}

function Filters({ search }: { readonly search: BaseSearch }) {
  const navigate = route.useNavigate();
  const go = (change: Partial<BaseSearch>): void =>
    void navigate({ search: { ...search, ...change, cursor: undefined }, replace: true, resetScroll: false });
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <Chips
        label="Filter documents"
        options={filters}
        chosen={search.state ? [search.state] : []}
        onChange={(next) => go({ state: states.find((word) => next.at(-1) === word) })}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element */}
      <form
        role="search"
        aria-label="Find documents"
        className="w-full sm:w-64"
        onSubmit={(event) => {
          event.preventDefault();
          go({ external_id: String(new FormData(event.currentTarget).get("external_id")).trim() || undefined });
        }}
      >
        <Field
          key={search.external_id ?? ""}
          name="external_id"
          type="search"
          label="External id"
          placeholder="returns.pdf"
          defaultValue={search.external_id}
        />
      </form>
    </div>
  );
}

function Nothing({ base, search }: { readonly base: Base; readonly search: BaseSearch }) {
  if (search.state !== undefined || search.external_id !== undefined || search.cursor !== undefined)
    return (
      <NothingFits title="No matching documents">
        <Link to="/knowledge/bases/$base" params={{ base: base.name }} search={{}}>
          All documents
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState title="No documents yet" command={`aos knowledge add-document ${base.name} --file handbook.pdf`}>
      Drop files above, or add them from the command line:
    </EmptyState>
  );
}

const dataClasses: Column<Document> = {
  name: "Data classes",
  wideOnly: true,
  cell: ({ data_classes }) => (
    <span className="flex flex-wrap gap-1">
      {data_classes.map((name) => (
        <Badge key={name} tone="warn">
          {name.replaceAll("_", " ")}
        </Badge>
      ))}
    </span>
  ),
};

const columnsOf = (
  base: string,
  documents: readonly Document[],
  mayWrite: boolean,
  remove: (document: Document) => void,
): readonly Column<Document>[] => [
  {
    name: "Document",
    cell: (document) => (
      <span className="grid min-w-0 gap-0.5">
        <span className="break-words">{documentLink(document, document.title || document.document_id)}</span>
        <span className="text-xs break-all text-muted">{originText(document)}</span>
      </span>
    ),
  },
  { name: "State", cell: (document) => <StateOfDocument document={document} /> },
  {
    name: "Chunks",
    right: true,
    cell: ({ chunks }) => <span className="tabular-nums">{chunks.toLocaleString("en")}</span>,
  },
  ...(documents.some(({ data_classes }) => data_classes.length > 0) ? [dataClasses] : []),
  { name: "Changed", right: true, cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" /> },
  ...(mayWrite
    ? [
        {
          name: "Actions",
          right: true,
          cell: (document: Document) => <Actions base={base} document={document} onRemove={() => remove(document)} />,
        },
      ]
    : []),
];

/** Where it came from, and what it is. */
export function originText({ external_id, file_name, url, size, pages, source }: Document): string {
  return [
    external_id ?? "",
    file_name ?? url ?? (source === "connector" ? "by a connector" : ""),
    size === null ? "" : sizeText(size),
    pages === null ? "" : counted(pages, "page"),
  ]
    .filter((part, at, all) => part !== "" && all.indexOf(part) === at)
    .join(" · ");
}

interface ActionsProps {
  readonly base: string;
  readonly document: Document;
  readonly onRemove: () => void;
}

function Actions({ base, document, onRemove }: ActionsProps) {
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      <Reindex base={base} document={document} />
      <Button size="small" kind="quiet" aria-label={`Delete ${document.title}`} onClick={onRemove}>
        Delete
      </Button>
    </span>
  );
}

/** Reads and cuts it once more: after a failure, or with other settings. */
export function Reindex({ base, document }: { readonly base: string; readonly document: Document }) {
  const change = useChange(reindexDocument, touched.documents);
  const word = document.state === "failed" ? "Retry" : "Reindex";
  const again = (): void =>
    void change
      .mutateAsync({ base, document: document.document_id })
      .then(() => toast(`${document.title} is being indexed again.`), toastProblem);
  return (
    <Button
      size="small"
      kind={document.state === "failed" ? "plain" : "quiet"}
      aria-label={`${word} ${document.title}`}
      busy={change.isPending}
      disabled={isMoving(document.state)}
      onClick={again}
    >
      {word}
    </Button>
  );
}
