import { BadgeCheck, ShieldCheck, ShieldQuestion, Star } from "lucide-react";
import type { Listing, PublisherBrief, ScanCounts } from "../../api/marketplace.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { scanText, scanTone } from "./words.ts";

/** Who signs it, and whether this organization accepted its key. */
export function PublisherMark({ publisher: { name, own, pinned } }: { readonly publisher: PublisherBrief }) {
  const known = own ? "this organization" : pinned ? "its key was accepted here" : "its key was not accepted here yet";
  return (
    <span className="inline-flex min-w-0 items-center gap-1" title={`${visible(name)}: ${known}`}>
      {own || pinned ? (
        <BadgeCheck className="size-4 shrink-0 text-good" aria-hidden="true" />
      ) : (
        <ShieldQuestion className="size-4 shrink-0 text-warn" aria-hidden="true" />
      )}
      <span className="min-w-0 wrap-anywhere">{visible(name)}</span>
      <span className="sr-only">, {known}</span>
    </span>
  );
}

/** Stars, with how many members gave some. */
export function Stars({ rating }: { readonly rating: Listing["rating"] }) {
  if (rating === null) return <span className="text-muted">not rated yet</span>;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <Star className="size-3.5 fill-current text-warn" aria-hidden="true" />
      <span className="font-medium tabular-nums">{rating.mean.toFixed(1)}</span>
      <span className="sr-only"> of 5 stars,</span>
      <span className="text-muted">({counted(rating.ratings, "rating")})</span>
    </span>
  );
}

/** What the static scan found. */
export function ScanBadge({ scan }: { readonly scan: ScanCounts }) {
  return (
    <Badge tone={scanTone(scan)}>
      <ShieldCheck className="size-3.5" aria-hidden="true" />
      Scan: {scanText(scan)}
    </Badge>
  );
}
