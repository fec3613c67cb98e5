import { getRouteApi, Link } from "@tanstack/react-router";
import { type Listing, readListing } from "../../api/marketplace.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { PublisherMark, ScanBadge } from "./badges.tsx";
import { reviewableOf } from "./install-loaders.ts";
import type { ReviewSearch } from "./install-search.ts";
import { ReviewListing } from "./review-listing.tsx";
import { Rooms } from "./rooms.tsx";
import { kindWords, originWords } from "./words.ts";

const route = getRouteApi("/shell/marketplace/review");

/** Versions that wait for a second person, and what can be decided of a listing. */
export function ReviewPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(reviewableOf(search), { every: 10_000 });
  if (search.listing !== undefined) return <OneListing listing={search.listing} />;
  return (
    <>
      <PageHead
        title="Review"
        lead="Versions that wait for somebody other than who submitted them. Nothing of them can be installed before."
      />
      <Rooms />
      <Chips
        label="Show"
        options={[
          ["approved", "Approved"],
          ["held", "Quarantined or recalled"],
        ]}
        chosen={search.view ? [search.view] : []}
        onChange={(next) => void navigate({ search: { view: next.at(-1) as ReviewSearch["view"] } })}
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          nothing[search.view ?? "waiting"]
        ) : (
          <Table label="Listings" columns={columns} rows={data.data} rowKey={({ listing_id }) => listing_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      </div>
    </>
  );
}

const nothing = {
  waiting: (
    <EmptyState title="Nothing waits for review">
      What is submitted appears here. To quarantine or recall something, show what is approved.
    </EmptyState>
  ),
  approved: <EmptyState title="Nothing is approved">The catalogue is empty.</EmptyState>,
  held: <EmptyState title="Nothing is quarantined or recalled">The recalls say what was stopped before.</EmptyState>,
};

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
    cell: ({ origin, publisher }) => (origin === "own" ? "Own work" : <From origin={origin} publisher={publisher} />),
  },
  { name: "Installs", cell: ({ installs }) => installs, right: true },
  { name: "Scan", cell: ({ scan }) => <ScanBadge scan={scan} /> },
  { name: "Changed", cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" /> },
];

const From = ({ origin, publisher }: Pick<Listing, "origin" | "publisher">) => (
  <span className="grid gap-0.5">
    <PublisherMark publisher={publisher} />
    <span className="text-xs text-muted">{originWords[origin]}</span>
  </span>
);
