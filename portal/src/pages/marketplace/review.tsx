import { getRouteApi, Link } from "@tanstack/react-router";
import { type Listing, readListing } from "../../api/marketplace.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { PublisherMark, ScanBadge } from "./badges.tsx";
import { waitingOf } from "./install-loaders.ts";
import { ReviewListing } from "./review-listing.tsx";
import { Rooms } from "./rooms.tsx";
import { kindWords, originWords } from "./words.ts";

const route = getRouteApi("/shell/marketplace/review");

/** Versions that wait for a second person, and what can be decided of a listing. */
export function ReviewPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(waitingOf(search), { every: 10_000 });
  if (search.listing !== undefined) return <OneListing listing={search.listing} />;
  return (
    <>
      <PageHead
        title="Review"
        lead="Versions that wait for somebody other than who submitted them. Nothing of them can be installed before."
      />
      <Rooms />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState title="Nothing waits for review">
            What is submitted appears here. To quarantine or recall something that is approved, open its listing and
            choose “Review”.
          </EmptyState>
        ) : (
          <Table
            label="Listings that wait"
            columns={columns}
            rows={data.data}
            rowKey={({ listing_id }) => listing_id}
          />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { cursor } })}
        />
      </div>
    </>
  );
}

function OneListing({ listing: id }: { readonly listing: string }) {
  const { data: listing } = usePrefetched(readListing(id), { every: 10_000 });
  const mayReview = useMay("marketplace:review");
  return (
    <>
      <PageHead
        title={visible(listing.title)}
        lead={visible(listing.summary)}
        above={
          <>
            <Link to="/marketplace/review" search={{}}>
              Review
            </Link>
            <PublisherMark publisher={listing.publisher} />
          </>
        }
      />
      {mayReview ? (
        <ReviewListing listing={listing} />
      ) : (
        <EmptyState title="You may not review listings">
          Your role lacks the permission marketplace:review. Admins have it.
        </EmptyState>
      )}
    </>
  );
}

const columns: readonly Column<Listing>[] = [
  {
    name: "Listing",
    cell: ({ listing_id: listing, title, kind, name }) => (
      <span className="grid gap-0.5">
        <Link to="/marketplace/review" search={{ listing }} className="font-medium hover:underline">
          {visible(title)}
        </Link>
        <span className="text-xs text-muted">
          {kindWords[kind]}, <code className="id">{name}</code>
        </span>
      </span>
    ),
  },
  {
    name: "From",
    cell: ({ origin, publisher }) => (origin === "own" ? "Own work" : <From {...{ origin, publisher }} />),
  },
  { name: "Scan", cell: ({ scan }) => <ScanBadge scan={scan} /> },
  { name: "Submitted", cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" /> },
];

const From = ({ origin, publisher }: Pick<Listing, "origin" | "publisher">) => (
  <span className="grid gap-0.5">
    <PublisherMark publisher={publisher} />
    <span className="text-xs text-muted">{originWords[origin]}</span>
  </span>
);
