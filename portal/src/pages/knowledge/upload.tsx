import { clsx } from "clsx";
import { FileUp, RotateCcw, X } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { readDocument } from "../../api/knowledge.ts";
import { useLive } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { documentLink, isMoving, movingText } from "./document-parts.tsx";
import type { UploadEntry, Uploads } from "./uploads.ts";
import { sizeText } from "./words.ts";

/** Formats that become documents. The service judges by content; this is what a file dialog offers. */
const accepted = ".pdf,.docx,.xlsx,.pptx,.epub,.txt,.md,.mdx,.markdown,.html,.htm,.csv,.tsv,.jsonl,.ndjson,.json";

export interface DropProps {
  readonly base: string;
  readonly uploads: Uploads;
  /** More ways to add a document, beside the button. */
  readonly children?: ReactNode;
}

/** Where files are dropped or chosen, and how each of them does. */
export function DropZone({ base, uploads, children }: DropProps) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    uploads.add([...event.dataTransfer.files]);
  };
  const drag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-label="Add documents"
      onDragOver={drag}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
      className={clsx(
        "rounded-lg border border-dashed p-4 sm:p-5",
        over ? "border-accent bg-accent-soft" : "border-line-strong bg-surface",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <FileUp className="hidden size-6 shrink-0 text-muted sm:block" aria-hidden="true" />
        <p className="min-w-0 flex-1 basis-56 text-sm">
          <span className="font-medium">Drop files here</span>
          <span className="block text-muted">
            PDF, DOCX, XLSX, PPTX, EPUB, Markdown, HTML, text, CSV or JSONL, up to 100 MiB each
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={() => input.current?.click()}>
            Choose files
          </Button>
          {children}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        accept={accepted}
        aria-label="Files to add"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {uploads.entries.length > 0 ? <Entries base={base} uploads={uploads} /> : null}
    </section>
  );
}

function Entries({ base, uploads }: DropProps) {
  const done = uploads.entries.filter(({ state }) => state === "sent").length;
  return (
    <div className="mt-4 border-t border-line pt-3">
      <p role="status" className="text-sm text-muted">
        {done} of {counted(uploads.entries.length, "file")} sent
      </p>
      <ul aria-label="Uploads" className="mt-1 max-h-96 divide-y divide-line overflow-y-auto">
        {uploads.entries.map((entry) => (
          <Entry key={entry.key} base={base} entry={entry} uploads={uploads} />
        ))}
      </ul>
    </div>
  );
}

function Entry({ base, entry, uploads }: DropProps & { readonly entry: UploadEntry }) {
  const { key, name, size, state, problem, sent, document } = entry;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium break-all">{name}</span>
          <span className="text-xs text-muted">{sizeText(size)}</span>
        </p>
        {state === "waiting" ? <p className="text-muted">waiting for its turn</p> : null}
        {state === "sending" ? (
          <>
            <p className="text-muted">sending, {Math.round(sent * 100)} %</p>
            <Progress value={sent} label={`${name}, sent`} className="mt-1" />
          </>
        ) : null}
        {state === "refused" && problem ? (
          <p role="alert" className="text-bad">
            <span className="font-medium">{problem.title}.</span> {problem.detail}
          </p>
        ) : null}
        {state === "sent" && document !== null ? <Processing base={base} entry={entry} document={document} /> : null}
      </div>
      <span className="flex">
        {state === "refused" && size > 0 ? (
          <IconButton label={`Send ${name} again`} onClick={() => uploads.retry(key)}>
            <RotateCcw className="size-4" aria-hidden="true" />
          </IconButton>
        ) : null}
        <IconButton
          label={state === "sending" || state === "waiting" ? `Cancel ${name}` : `Remove ${name} from this list`}
          onClick={() => uploads.remove(key)}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}

/** What the service makes of a file that it has. */
function Processing({ base, entry, document }: { base: string; entry: UploadEntry; document: string }) {
  const { data } = useLive(readDocument(base, document), {
    every: (known) => (known === undefined || isMoving(known.state) ? 1000 : false),
    untold: true,
  });
  if (data === undefined) return <p className="text-muted">received</p>;
  if (data.state === "failed")
    return (
      <p role="alert" className="text-bad">
        <span className="font-medium">Failed.</span> {data.error?.detail} {documentLink(data, "Open")}
      </p>
    );
  if (isMoving(data.state))
    return (
      <>
        <p className="text-muted">{movingText(data)}</p>
        <Progress value={data.progress} label={`${entry.name}, ${data.state}`} className="mt-1" />
      </>
    );
  const word = entry.outcome === "unchanged" ? "Already here" : "Indexed";
  return (
    <p className="text-good">
      {word}, {counted(data.chunks, "chunk")}. {documentLink(data, "Open")}
    </p>
  );
}
