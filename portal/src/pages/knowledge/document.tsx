import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type DocumentDetails as Document, readDocument } from "../../api/knowledge.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Notice } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Chunks } from "./chunks.tsx";
import { DocumentAccess } from "./document-access.tsx";
import { DocumentFacts } from "./document-facts.tsx";
import { isMoving, StateOfDocument } from "./document-parts.tsx";
import { originText, Reindex } from "./documents.tsx";
import { RemoveDocument } from "./remove.tsx";
import type { DocumentSearch } from "./search.ts";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/shell/knowledge/bases/$base/documents/$document");

/** One document: its chunks beside its text, its versions, who may read it, and what is known of it. */
export function DocumentPage() {
  const { base, document: id } = route.useParams();
  const { tab = "chunks" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: document } = usePrefetched(readDocument(base, id), {
    every: (known) => (known && isMoving(known.state) ? 1000 : 8000),
  });
  return (
    <>
      <PageHead
        title={<span className="break-words">{document.title || document.document_id}</span>}
        lead={<span className="text-sm">{originText(document)}</span>}
        above={
          <>
            <Link to="/knowledge">Knowledge</Link>
            <span aria-hidden="true">/</span>
            <Link to="/knowledge/bases/$base" params={{ base: document.base }}>
              {document.base}
            </Link>
          </>
        }
        actions={<Actions base={base} document={document} />}
      />
      <Trouble document={document} />
      <Tabs
        label="Document sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as DocumentSearch["tab"] }, resetScroll: false })}
        tabs={[
          { id: "chunks", title: "Chunks", content: () => <Chunks base={base} document={document} /> },
          { id: "versions", title: "Versions", content: () => <Versions base={base} document={document} /> },
          { id: "access", title: "Access", content: () => <DocumentAccess base={base} document={document} /> },
          { id: "metadata", title: "Details", content: () => <DocumentFacts document={document} /> },
        ]}
      />
    </>
  );
}

function Actions({ base, document }: { readonly base: string; readonly document: Document }) {
  const navigate = useNavigate();
  const mayWrite = useMay("knowledge:write");
  const [removing, setRemoving] = useState(false);
  if (!mayWrite) return <StateOfDocument document={document} />;
  const closed = (gone: boolean): void => {
    setRemoving(false);
    if (gone) void navigate({ to: "/knowledge/bases/$base", params: { base } });
  };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Reindex base={base} document={document} />
      <Button size="small" onClick={() => setRemoving(true)}>
        Delete
      </Button>
      {removing ? <RemoveDocument base={base} document={document} onClose={closed} /> : null}
    </span>
  );
}

/** That it is being read, or why it could not be, and what helps. */
function Trouble({ document }: { readonly document: Document }) {
  const { state, error } = document;
  if (isMoving(state))
    return (
      <div className="mb-4">
        <Notice live>
          <StateOfDocument document={document} />
          {document.chunks > 0 ? <p className="mt-1">Searches find the former contents until it is done.</p> : null}
        </Notice>
      </div>
    );
  if (error === null) return null;
  return (
    <div className="mb-4">
      <Notice tone="bad">
        <p className="font-semibold">{error.detail}</p>
        {document.file_name === null ? null : (
          <p className="mt-1">
            A file of the same name, dropped{" "}
            <Link to="/knowledge/bases/$base" params={{ base: document.base }} className="underline">
              among the documents of {document.base}
            </Link>
            , replaces this one.
          </p>
        )}
        {document.chunks > 0 ? <p className="mt-1">Searches still find the former contents.</p> : null}
      </Notice>
    </div>
  );
}
