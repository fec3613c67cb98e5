import { Link } from "@tanstack/react-router";
import type { Passage } from "../../api/knowledge.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Marked } from "../../ui/marked.tsx";
import { placeText } from "./words.ts";

/** Passages, best first, each with the place that it cites. */
export function Passages({ passages }: { readonly passages: readonly Passage[] }) {
  return (
    <ol aria-label="Passages" className="grid gap-3">
      {passages.map((passage, at) => (
        <li key={passage.citation} className="rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5">
          <PassageText passage={passage} rank={at + 1} />
        </li>
      ))}
    </ol>
  );
}

function PassageText({ passage, rank }: { readonly passage: Passage; readonly rank: number }) {
  const { citation, title, base, text, highlights, headings, first_page, last_page } = passage;
  const place = placeText(headings, first_page, last_page);
  return (
    <article className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 text-sm font-semibold break-words">
          <span className="mr-2 font-normal text-muted tabular-nums">{rank}</span>
          <Link to="/knowledge/citations/$citation" params={{ citation }} className="hover:underline">
            {title || "Untitled"}
          </Link>
        </h2>
        <Badge>{base}</Badge>
      </div>
      {place === "" ? null : <p className="text-xs text-muted">{place}</p>}
      <p className="text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap">
        <Marked text={text} marks={highlights} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
        <CopyText text={citation} label="citation" short />
        <Link
          to="/knowledge/citations/$citation"
          params={{ citation }}
          className="font-medium text-accent underline underline-offset-2"
        >
          Open the exact place
        </Link>
      </p>
    </article>
  );
}
