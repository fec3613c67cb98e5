import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Document, DocumentState } from "../../api/knowledge.ts";
import { percent } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Progress } from "../../ui/progress.tsx";

type Placed = Pick<Document, "base" | "document_id">;

/** The page of a document. */
export const documentLink = ({ base, document_id }: Placed, content: ReactNode, chunk?: number) => (
  <Link
    to="/knowledge/bases/$base/documents/$document"
    params={{ base, document: document_id }}
    search={chunk === undefined ? {} : { chunk: String(chunk) }}
    className="font-medium text-ink underline underline-offset-2 hover:no-underline"
  >
    {content}
  </Link>
);

/** It is worked on: its state changes by itself. */
export const isMoving = (state: DocumentState): boolean => state !== "indexed" && state !== "failed";

const words: Readonly<Record<string, string>> = {
  queued: "waits to be read",
  parsing: "being read",
  indexing: "being indexed",
};

export const movingText = ({ state, progress }: Pick<Document, "state" | "progress">): string =>
  state === "queued" ? (words.queued as string) : `${words[state]}, ${percent(progress)}`;

/** State, how far it is, and why it failed. */
export function StateOfDocument({ document }: { readonly document: Document }) {
  const { state, progress, error, title } = document;
  return (
    <span className="grid justify-items-start gap-1">
      <StatusBadge status={state} />
      {isMoving(state) && state !== "queued" ? (
        <Progress value={progress} label={`${title}, ${state}`} className="max-w-28" />
      ) : null}
      {error ? <span className="max-w-80 text-xs text-bad">{error.detail}</span> : null}
    </span>
  );
}
