import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Listing, readListing } from "../../api/marketplace.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { ScanBadge } from "./badges.tsx";
import { submitted } from "./loaders.ts";
import { ImportForm } from "./publish-file.tsx";
import { WorkForm } from "./publish-work.tsx";
import { Rooms } from "./rooms.tsx";
import { kindWords } from "./words.ts";

const route = getRouteApi("/shell/marketplace/publish");

/** Own work, or a file from elsewhere, for the catalogue. */
export function PublishPage() {
  const { from = "work", listing } = route.useSearch();
  const mayWrite = useMay("marketplace:write");
  return (
    <>
      <PageHead
        title="Publish"
        lead="Own work is packed, scanned and signed; files of other installations are verified and scanned. Then another person approves them."
      />
      <Rooms />
      {mayWrite ? (
        listing === undefined ? (
          <Submit from={from} listing={null} />
        ) : (
          <NewVersion from={from} listing={listing} />
        )
      ) : (
        <EmptyState title="You may not publish">
          It takes the permission <code className="id">marketplace:write</code>.
        </EmptyState>
      )}
      <div className="mt-6">
        <Submitted />
      </div>
    </>
  );
}

function NewVersion({ from, listing }: { readonly from: "work" | "file"; readonly listing: string }) {
  const { data } = usePrefetched(readListing(listing));
  return (
    <>
      <p className="mb-4 text-sm">
        A new version of{" "}
        <Link to="/marketplace/listings/$listing" params={{ listing }} search={{}} className="font-medium underline">
          {visible(data.title)}
        </Link>
        , after {data.version}.{" "}
        <Link to="/marketplace/publish" search={{}} className="text-accent underline underline-offset-2">
          Publish something new instead
        </Link>
      </p>
      <Submit from={from} listing={data} />
    </>
  );
}

interface SubmitProps {
  readonly from: "work" | "file";
  readonly listing: Parameters<typeof WorkForm>[0]["listing"];
}

function Submit({ from, listing }: SubmitProps) {
  const navigate = route.useNavigate();
  const tabs = [
    { id: "work", title: "Own work", content: () => <WorkForm listing={listing} /> },
    { id: "file", title: "A file", content: () => <ImportForm listing={listing} /> },
  ] as const;
  return (
    <Tabs
      label="What is published"
      tabs={tabs}
      current={from}
      onChange={(next) =>
        void navigate({
          search: (search) => ({ ...search, from: next === "file" ? "file" : "work" }),
          resetScroll: false,
        })
      }
    />
  );
}

/** What was submitted here, and what became of it. */
function Submitted() {
  const [origin, setOrigin] = useState<"own" | "imported">("own");
  const { data, error } = useLive(submitted(origin), { every: 10_000 });
  return (
    <Card
      title="Submitted here"
      flush
      aside={
        <Chips
          label="Origin"
          options={[
            ["own", "Own work"],
            ["imported", "Imported"],
          ]}
          chosen={[origin]}
          onChange={(next) => setOrigin(next.at(-1) === "imported" ? "imported" : "own")}
        />
      }
    >
      {error ? <ErrorState error={error} className="m-4" /> : null}
      {data === undefined && !error ? (
        <div className="p-5">
          <Skeleton lines={4} />
        </div>
      ) : null}
      {data?.data.length === 0 ? (
        <EmptyState title={origin === "own" ? "Nothing published yet" : "Nothing imported yet"}>
          What is submitted above stands here, with its scan and its review.
        </EmptyState>
      ) : null}
      {data !== undefined && data.data.length > 0 ? (
        <Table label="Submitted listings" columns={columns} rows={data.data} rowKey={({ listing_id }) => listing_id} />
      ) : null}
    </Card>
  );
}

const columns: readonly Column<Listing>[] = [
  {
    name: "Listing",
    cell: ({ listing_id, title, name }) => (
      <span className="grid gap-0.5">
        <Link
          to="/marketplace/listings/$listing"
          params={{ listing: listing_id }}
          search={{}}
          className="font-medium hover:underline"
        >
          {visible(title)}
        </Link>
        <code className="id text-muted">{visible(name)}</code>
      </span>
    ),
  },
  { name: "Kind", cell: ({ kind }) => kindWords[kind] },
  { name: "Version", cell: ({ version }) => version },
  { name: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { name: "Scan", cell: ({ scan }) => <ScanBadge scan={scan} /> },
  {
    name: "Submitted",
    cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" />,
    wideOnly: true,
  },
];
