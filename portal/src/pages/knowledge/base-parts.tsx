import { Link } from "@tanstack/react-router";
import type { Base, BaseDetails, Vectors } from "../../api/knowledge.ts";
import { counted, percent } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { readersText, sizeText } from "./words.ts";

/** What keeps a base from being in order, worst first; else that it is. */
export function BaseHealth({ base: { health } }: { readonly base: Pick<Base, "health"> }) {
  const { failed, queued, parsing, indexing } = health.documents;
  const working = queued + parsing + indexing;
  return (
    <span className="flex flex-wrap gap-1">
      {failed > 0 ? <Badge tone="bad">{failed.toLocaleString("en")} failed</Badge> : null}
      {working > 0 ? <Badge tone="info">{working.toLocaleString("en")} in progress</Badge> : null}
      {health.reindexing ? <Badge tone="info">Reindexing</Badge> : null}
      {health.reindex_error ? <Badge tone="bad">Reindex failed</Badge> : null}
      {health.stale > 0 ? <Badge tone="warn">{health.stale.toLocaleString("en")} to review</Badge> : null}
      {health.state === "empty" ? <Badge>Empty</Badge> : null}
      {health.state === "ready" && health.stale === 0 ? <Badge tone="good">Ready</Badge> : null}
    </span>
  );
}

/** Agents that use a base. */
export function Agents({ names }: { readonly names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {names.map((agent) => (
        <Link
          key={agent}
          to="/agents/$agent"
          params={{ agent }}
          className="underline underline-offset-2 hover:no-underline"
        >
          {agent}
        </Link>
      ))}
    </span>
  );
}

/** What a base is made of, in one strip of figures. */
export function BaseFacts({ base }: { readonly base: BaseDetails }) {
  const { documents, chunks, pages, bytes, updated_at, readers, agents, vectors } = base;
  return (
    <div className="mb-5 grid gap-3">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line text-sm shadow-card sm:grid-cols-3 xl:grid-cols-6">
        <Figure
          name="Documents"
          value={documents.toLocaleString("en")}
          more={bytes > 0 ? sizeText(bytes) : undefined}
        />
        <Figure
          name="Chunks"
          value={chunks.toLocaleString("en")}
          more={pages > 0 ? counted(pages, "page") : undefined}
        />
        <Figure name="Changed" value={<RelativeTime time={updated_at} />} />
        <Figure
          name="Search"
          value={vectors ? "By words and meaning" : "By words"}
          more={vectors ? vectorsText(vectors) : "no embedding model"}
        />
        <Figure name="Agents" value={agents.length === 0 ? "none" : <Agents names={agents} />} />
        <Figure name="Who may read" value={readersText(readers)} />
      </dl>
      {vectors?.error ? (
        <Notice tone="warn">
          Vectors are not being made: {vectors.error.detail} Searches go by words meanwhile, and it is tried again.
        </Notice>
      ) : null}
    </div>
  );
}

const vectorsText = ({ embedded, of }: Vectors): string =>
  of === 0 ? "no vectors yet" : `${percent(embedded / of)} of chunks have a vector`;

function Figure({ name, value, more }: { name: string; value: React.ReactNode; more?: string | undefined }) {
  return (
    <div className="grid content-start gap-0.5 bg-surface px-4 py-3">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="min-w-0 font-medium break-words">
        {value}
        {more ? <span className="block text-xs font-normal text-muted">{more}</span> : null}
      </dd>
    </div>
  );
}
