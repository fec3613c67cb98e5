import { Link } from "@tanstack/react-router";
import type { Listing, Scorecard } from "../../api/marketplace.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { PublisherMark, ScanBadge, Stars } from "./badges.tsx";
import { kindWords, mainResult, originWords, scoreText, sentenceCase } from "./words.ts";

/** A listing in the catalogue. `here`: it is installed in this environment. */
export function ListingCard({ listing, here }: { readonly listing: Listing; readonly here: boolean }) {
  const { listing_id, title, summary, kind, business_function, publisher, version, state, origin } = listing;
  return (
    <article className="relative flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card focus-within:border-accent hover:border-line-strong sm:p-5">
      <p className="flex flex-wrap items-center gap-1.5">
        <Badge tone="accent">{kindWords[kind]}</Badge>
        {business_function ? <Badge>{visible(sentenceCase(business_function))}</Badge> : null}
        {state === "approved" ? null : <StatusBadge status={state} />}
        <InstalledBadge listing={listing} here={here} />
      </p>
      <div className="grid gap-1">
        <h2 className="text-base leading-snug font-semibold">
          <Link
            to="/marketplace/listings/$listing"
            params={{ listing: listing_id }}
            search={{}}
            className="wrap-anywhere after:absolute after:inset-0 after:content-[''] hover:underline"
          >
            {visible(title)}
          </Link>
        </h2>
        <p className="line-clamp-3 text-sm text-muted">{visible(summary)}</p>
      </div>
      <MainFigure scorecard={listing.scorecard} />
      <div className="mt-auto grid gap-2 border-t border-line pt-3 text-sm">
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <PublisherMark publisher={publisher} />
          <Stars rating={listing.rating} />
        </p>
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="text-muted">
            {version}, {originWords[origin].toLowerCase()}
          </span>
          <ScanBadge scan={listing.scan} />
        </p>
      </div>
    </article>
  );
}

function InstalledBadge({ listing: { installs }, here }: { readonly listing: Listing; readonly here: boolean }) {
  if (here) return <Badge tone="good">Installed here</Badge>;
  return installs > 0 ? <Badge tone="info">Installed elsewhere</Badge> : null;
}

/** The main figure of a scorecard, with its interval and on what data: a figure alone says nothing. */
function MainFigure({ scorecard }: { readonly scorecard: Scorecard | null }) {
  const main = mainResult(scorecard);
  if (main === null) return <p className="text-sm text-muted">Nothing was measured.</p>;
  const { result, dataset } = main;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 rounded-md bg-sunken px-3 py-2 text-sm">
      <span className="text-lg font-semibold tabular-nums">{scoreText(result.mean)}</span>
      <span className="wrap-anywhere">
        {visible(result.scorer)} on {counted(result.items, "item")}
        {result.low === null || result.high === null ? null : (
          <span className="text-muted">
            , {scoreText(result.low)} to {scoreText(result.high)}
          </span>
        )}
      </span>
      <span className="col-start-2 line-clamp-2 text-xs text-muted">
        {dataset === null ? "What data it is, is not said." : visible(dataset.data)}
      </span>
    </div>
  );
}
