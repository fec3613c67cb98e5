import { getRouteApi } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { type Chunk, type DocumentDetails as Document, listChunks } from "../../api/knowledge.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, Notice } from "../../ui/states.tsx";
import { ChunkEditor } from "./chunk-editor.tsx";
import { isMoving } from "./document-parts.tsx";
import { SourceText } from "./source-text.tsx";
import { pagesText, placeText } from "./words.ts";

const route = getRouteApi("/shell/knowledge/bases/$base/documents/$document");

interface Parts {
  readonly base: string;
  readonly document: Document;
}

/** The chunks that searches find, beside the text that they come from. The chosen one is marked there. */
export function Chunks({ base, document }: Parts) {
  const { chunk } = route.useSearch();
  const { document: named } = route.useParams(); // its id, or what its own system calls it
  const navigate = route.useNavigate();
  const { data } = usePrefetched(listChunks(base, named), {
    every: isMoving(document.state) ? 2000 : 10_000,
  });
  const chunks = data.data;
  const index = chunks.findIndex(({ number }) => String(number) === chunk);
  const current = chunks[index] ?? null;
  const choose = (next: Chunk | undefined): void => {
    if (next === undefined) return;
    void navigate({ search: { chunk: String(next.number) }, replace: true, resetScroll: false });
  };
  useShortcuts("Chunks", [
    { keys: "j", label: "Next chunk", run: () => choose(chunks[index + 1]) },
    { keys: "k", label: "Previous chunk", run: () => choose(chunks[Math.max(0, index - 1)]) },
  ]);
  if (chunks.length === 0)
    return (
      <div className="rounded-lg border border-line bg-surface shadow-card">
        <EmptyState title="No chunks">
          {document.state === "failed" ? "The document could not be read." : "They appear here once it is indexed."}
        </EmptyState>
      </div>
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={counted(chunks.length, "chunk")} aside={data.has_more ? <Badge>the first ones</Badge> : null} flush>
        <ul aria-label="Chunks" className="max-h-[45vh] divide-y lg:max-h-[70vh] divide-line overflow-y-auto">
          {chunks.map((one) => (
            <ChunkRow
              key={one.number}
              base={base}
              document={document}
              chunk={one}
              chosen={one === current}
              onChoose={() => choose(one)}
            />
          ))}
        </ul>
      </Card>
      <Source document={document} chunk={current} />
    </div>
  );
}

interface RowProps extends Parts {
  readonly chunk: Chunk;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function ChunkRow({ base, document, chunk, chosen, onChoose }: RowProps) {
  const { number, text, headings, first_page, last_page, revision } = chunk;
  const mayWrite = useMay("knowledge:write");
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Also after a correction, when the editor below it has closed.
    if (chosen && revision > 0) row.current?.scrollIntoView({ block: "nearest" });
  }, [chosen, revision]);
  const place = placeText(headings, first_page, last_page);
  return (
    <li ref={row} className={clsx("px-4 py-3 text-sm sm:px-5", chosen && "bg-accent-soft")}>
      <button type="button" aria-expanded={chosen} onClick={onChoose} className="grid w-full gap-1 text-left">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium tabular-nums">Chunk {number}</span>
          <ChunkBadges chunk={chunk} />
        </span>
        {place === "" ? null : <span className="text-xs text-muted">{place}</span>}
        <span
          className={clsx(
            "wrap-anywhere whitespace-pre-wrap",
            !chosen && "line-clamp-3",
            chunk.disabled && "text-muted line-through",
          )}
        >
          {chosen ? text : text.replaceAll(/\s*\n\s*/g, " ")}
        </span>
      </button>
      {chosen && mayWrite ? <ChunkEditor base={base} document={document} chunk={chunk} /> : null}
    </li>
  );
}

function ChunkBadges({ chunk: { kind, disabled, revision, data_classes } }: { readonly chunk: Chunk }) {
  return (
    <>
      {kind === "text" ? null : <Badge tone="info">{kind}</Badge>}
      {disabled ? <Badge tone="bad">disabled</Badge> : null}
      {revision > 1 ? <Badge tone="info">corrected</Badge> : null}
      {data_classes.map((name) => (
        <Badge key={name} tone="warn">
          {name.replaceAll("_", " ")}
        </Badge>
      ))}
    </>
  );
}

/** The text of the document, with the chosen chunk's place in sight. */
function Source({ document, chunk }: { readonly document: Document; readonly chunk: Chunk | null }) {
  const box = useRef<HTMLDivElement>(null);
  const number = chunk?.number;
  useEffect(() => {
    // Where both stand one under the other, the text would be out of sight.
    if (number !== undefined && !matchMedia("(min-width: 64rem)").matches)
      box.current?.scrollIntoView({ block: "nearest" });
  }, [number]);
  const place =
    chunk?.starts_at == null || chunk.ends_at === null ? null : { start: chunk.starts_at, end: chunk.ends_at };
  const pages = chunk ? pagesText(chunk.first_page, chunk.last_page) : null;
  return (
    <div ref={box} className="lg:sticky lg:top-4">
      <Card title="Source" aside={pages ? <Badge tone="info">{pages}</Badge> : null} flush>
        {chunk !== null && place === null ? (
          <div className="p-4">
            <Notice>This chunk has no place in a text: it comes from the record's fields.</Notice>
          </div>
        ) : null}
        {document.text === null ? (
          <Fields fields={document.fields} />
        ) : (
          <SourceText text={document.text} place={place} label="Source text" />
        )}
      </Card>
    </div>
  );
}

function Fields({ fields }: { readonly fields: Document["fields"] }) {
  if (fields === null) return <p className="p-4 text-sm text-muted">There is no text to show.</p>;
  return (
    <dl className="grid gap-x-5 gap-y-2 p-4 text-sm sm:grid-cols-[minmax(6rem,auto)_1fr] sm:p-5">
      {Object.entries(fields).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
