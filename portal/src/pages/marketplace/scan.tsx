import { Download } from "lucide-react";
import { type ListingDetail, readListingScan } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { saveText } from "../../lib/csv.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { type Finding, findingsOf } from "./sarif.ts";
import { scanText } from "./words.ts";

/** What the static scan found, in words; `version`: of another version than the one that the catalogue shows. */
export function Scan({ listing, version }: { readonly listing: ListingDetail; readonly version?: string }) {
  const { data, error } = useLive(readListingScan(listing.listing_id, version));
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const findings = findingsOf(data.sarif);
  const save = (): void =>
    saveText(`${listing.name}-${data.version}.sarif`, JSON.stringify(data.sarif, null, 2), "application/sarif+json");
  return (
    <Card
      title={`Scan of ${data.version}: ${scanText(data.counts)}`}
      aside={
        <Button size="small" icon={<Download className="size-4" aria-hidden="true" />} onClick={save}>
          SARIF
        </Button>
      }
    >
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          Scanned <RelativeTime time={data.scanned_at} />, by rules alone. It finds what is copied around, not what
          somebody words afresh: an empty list does not mean that a bundle is harmless.
        </p>
        {findings.length === 0 ? <p className="text-sm">Nothing was found.</p> : null}
        <ul aria-label="Findings" className="grid gap-3 empty:hidden">
          {findings.map((finding) => (
            <FindingRow key={finding.key} finding={finding} />
          ))}
        </ul>
      </div>
    </Card>
  );
}

const tones = { error: "bad", warning: "warn", note: "neutral" } as const;

function FindingRow({
  finding: { level, title, message, path, line, column, snippet },
}: {
  readonly finding: Finding;
}) {
  return (
    <li className="grid gap-1.5 rounded-md border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tones[level]}>{level}</Badge>
        <span className="font-medium">{title}</span>
        <code className="id text-muted">
          {visible(path)}
          {line === null ? "" : `:${line}${column === null ? "" : `:${column}`}`}
        </code>
      </p>
      <p className="wrap-anywhere">{visible(message)}</p>
      {snippet === null ? null : (
        <pre className="rounded bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all whitespace-pre-wrap">
          {visible(snippet)}
        </pre>
      )}
    </li>
  );
}
