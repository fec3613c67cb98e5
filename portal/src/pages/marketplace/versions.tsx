import { Link } from "@tanstack/react-router";
import { type ListingDetail, type ListingVersion, listListingVersions } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { sizeText } from "../../lib/size.ts";
import { visible } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DigestText } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { ScanBadge } from "./badges.tsx";

/** All versions, the newest first: what became of each, and why. */
export function Versions({ listing }: { readonly listing: ListingDetail }) {
  const { data, error } = useLive(listListingVersions(listing.listing_id));
  const mayWrite = useMay("marketplace:write");
  const next = (
    <Link
      to="/marketplace/publish"
      search={{ listing: listing.listing_id, from: listing.publisher.own ? "work" : "file" }}
      className={buttonClass("plain", "small")}
    >
      {listing.publisher.own ? "Publish a new version" : "Import a new version"}
    </Link>
  );
  const offered = mayWrite && listing.origin !== "starter";
  return (
    <Card title="Versions" flush aside={offered ? next : null}>
      {error ? <ErrorState error={error} className="m-4" /> : null}
      {data === undefined && !error ? (
        <div className="p-5">
          <Skeleton lines={4} />
        </div>
      ) : null}
      <ul className="divide-y divide-line">
        {data?.data.map((version) => (
          <Version key={version.version} version={version} shown={version.version === listing.version} />
        ))}
      </ul>
    </Card>
  );
}

function Version({ version, shown }: { readonly version: ListingVersion; readonly shown: boolean }) {
  const { state, changes, reason, scan, bytes, digest, created_at, review_strict } = version;
  return (
    <li className="grid gap-1.5 px-4 py-3 text-sm sm:px-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{version.version}</span>
        <StatusBadge status={state} />
        {shown ? <Badge tone="accent">shown in the catalogue</Badge> : null}
        {state === "approved" && !review_strict ? <Badge tone="warn">development only</Badge> : null}
        <ScanBadge scan={scan} />
        <span className="text-muted">
          <RelativeTime time={created_at} />, {sizeText(bytes)}
        </span>
      </p>
      {changes === null ? null : <p className="wrap-anywhere">{visible(changes)}</p>}
      {reason === null ? null : <p className="text-muted wrap-anywhere">Reviewer: “{visible(reason)}”</p>}
      <p>
        <DigestText digest={digest} label={`digest of ${version.version}`} />
      </p>
    </li>
  );
}
