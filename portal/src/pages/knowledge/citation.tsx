import { getRouteApi, Link } from "@tanstack/react-router";
import { type Citation, readCitation, readDocument } from "../../api/knowledge.ts";
import type { Problem } from "../../api/problem.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts, PageHead } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Notice } from "../../ui/states.tsx";
import { documentLink } from "./document-parts.tsx";
import { SourceText } from "./source-text.tsx";
import { placeText } from "./words.ts";

const route = getRouteApi("/shell/knowledge/citations/$citation");

/** What a citation cites: the exact words, and where they stand. Or that they were deleted, and when. */
export function CitationPage() {
  const { citation } = route.useParams();
  const { data } = usePrefetched(readCitation(citation));
  return data.cited === null ? <Gone citation={citation} problem={data.gone} /> : <Cited cited={data.cited} />;
}

function Gone({ citation, problem }: { readonly citation: string; readonly problem: Problem }) {
  const { deleted_at } = problem.members;
  return (
    <>
      <PageHead title="Deleted" above={<Link to="/knowledge">Knowledge</Link>} />
      <Notice tone="warn">
        <p className="font-semibold">
          {typeof deleted_at === "string"
            ? `The document that this cites was deleted on ${exactly(deleted_at)}.`
            : problem.detail}
        </p>
        <p className="mt-1">
          Its words are no longer kept. <CopyText text={citation} label="citation" short />
        </p>
      </Notice>
    </>
  );
}

function Cited({ cited }: { readonly cited: Citation }) {
  const { number, version, headings, first_page, last_page, document_title, base, current, replaced_at } = cited;
  const place = placeText(headings, first_page, last_page);
  return (
    <>
      <PageHead
        title={<span className="break-words">{document_title || cited.document_id}</span>}
        lead={place === "" ? undefined : place}
        above={
          <>
            <Link to="/knowledge">Knowledge</Link>
            <span aria-hidden="true">/</span>
            <Link to="/knowledge/bases/$base" params={{ base }}>
              {base}
            </Link>
          </>
        }
      />
      <div className="grid gap-4">
        {current ? null : (
          <Notice tone="warn">
            These are the words as they were cited, of version {version}.{" "}
            {version === cited.current_version
              ? `The chunk was changed${on(replaced_at)}. `
              : `The document was replaced${on(replaced_at)} and is at version ${cited.current_version} now. `}
            {documentLink(cited, "See what it says now", version === cited.current_version ? number : undefined)}.
          </Notice>
        )}
        <Card
          title="What is cited"
          aside={<Badge tone={current ? "good" : "neutral"}>{current ? "current" : "former"}</Badge>}
        >
          <p className="text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap">{cited.text}</p>
        </Card>
        <InPlace cited={cited} />
        <Card title="The citation">
          <Facts
            facts={[
              ["Citation", <CopyText key="citation" text={cited.citation} label="citation" />],
              ["Document", <CopyText key="document" text={cited.document_id} label="document id" />],
              ["Chunk", `${number}, of version ${version}`],
              cited.file_name !== null && ["File", cited.file_name],
              cited.url !== null && ["Address", cited.url],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

const on = (time: string | null): string => (time === null ? "" : ` on ${exactly(time)}`);

/** The cited words where they stand in the document, while it still has that version. */
function InPlace({ cited }: { readonly cited: Citation }) {
  const { base, document_id, starts_at, ends_at, version, current_version } = cited;
  const inText = starts_at !== null && ends_at !== null && version === current_version;
  const { data } = useLive(readDocument(base, document_id), { when: inText });
  if (!inText || !data?.text) return null;
  return (
    <Card
      title="Where it stands"
      aside={<span className="text-sm">{documentLink(cited, "Open the document", cited.number)}</span>}
      flush
    >
      <SourceText text={data.text} place={{ start: starts_at, end: ends_at }} label="Source text" />
    </Card>
  );
}
