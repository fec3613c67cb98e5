import {
  type Document,
  type DocumentVersion,
  listDocumentVersions,
  restoreDocument,
  touched,
} from "../../api/knowledge.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { sizeText } from "./words.ts";

interface Parts {
  readonly base: string;
  readonly document: Document;
}

/** What the document said before, and the way back to it. */
export function Versions({ base, document }: Parts) {
  const { data, error } = useLive(listDocumentVersions(base, document.document_id), { every: 5000 });
  const mayWrite = useMay("knowledge:write");
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={4} />;
  const restore: Column<DocumentVersion> = {
    name: "Actions",
    right: true,
    cell: (version) => (version.current ? null : <Restore base={base} document={document} version={version} />),
  };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      <Table
        label="Versions"
        columns={mayWrite ? [...columns, restore] : columns}
        rows={data.data}
        rowKey={({ version }) => String(version)}
      />
    </div>
  );
}

const columns: readonly Column<DocumentVersion>[] = [
  {
    name: "Version",
    cell: ({ version, current }) => (
      <span className="flex items-center gap-2">
        <span className="font-medium tabular-nums">{version}</span>
        {current ? <Badge tone="good">current</Badge> : null}
      </span>
    ),
  },
  { name: "Title", cell: ({ title }) => <span className="break-words">{title}</span> },
  {
    name: "From",
    cell: ({ source, file_name, size }) => (
      <span className="break-all text-muted">
        {file_name ?? source}
        {size === null ? "" : ` · ${sizeText(size)}`}
      </span>
    ),
  },
  { name: "By", wideOnly: true, cell: ({ author }) => <code className="id">{author}</code> },
  { name: "Added", right: true, cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
];

function Restore({ base, document, version: { version } }: Parts & { readonly version: DocumentVersion }) {
  const change = useChange(restoreDocument, touched.versions);
  const restore = (): void =>
    void change
      .mutateAsync({ base, document: document.document_id, version })
      .then(() => toast(`Version ${version} is being indexed as the newest.`), toastProblem);
  return (
    <Button size="small" busy={change.isPending} aria-label={`Restore version ${version}`} onClick={restore}>
      Restore
    </Button>
  );
}
