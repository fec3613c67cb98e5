import { type ListingDetail, listReports } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { spoken, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Person } from "./install-person.tsx";

/** Reports of abuse, the newest first. */
export function Reports({ listing: { listing_id, open_reports } }: { readonly listing: ListingDetail }) {
  const { data, error } = useLive(listReports(listing_id));
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <Card
      title="Reports of abuse"
      aside={open_reports > 0 ? <Badge tone="warn">{open_reports} since the last review</Badge> : null}
    >
      {data.data.length === 0 ? <p className="text-sm text-muted">Nobody reported it.</p> : null}
      <ul aria-label="Reports" className="grid gap-4 empty:hidden">
        {data.data.map(({ report_id, kind, version, detail, reported_by, created_at }) => (
          <li key={report_id} className="grid gap-1 border-l-2 border-warn pl-3 text-sm">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{spoken(kind)}</span>
              <span className="text-muted">
                version {version}, by <Person member={reported_by} /> <RelativeTime time={created_at} />
              </span>
            </p>
            <p className="wrap-anywhere whitespace-pre-wrap">{visible(detail)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
