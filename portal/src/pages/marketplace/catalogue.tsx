import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useRef } from "react";
import type { Listing } from "../../api/marketplace.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips, Field, Select } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { ListingCard } from "./listing-card.tsx";
import { installedHere, listingsOf, offered } from "./loaders.ts";
import { Rooms } from "./rooms.tsx";
import { type CatalogueSearch, kinds, origins } from "./search.ts";
import { kindWords, originWords, sentenceCase } from "./words.ts";

const route = getRouteApi("/shell/marketplace");

/** What can be installed. */
export function CataloguePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(listingsOf(search), { every: 30_000 });
  const { data: installs } = useLive(installedHere());
  const mayPublish = useMay("marketplace:write");
  const here = new Set(installs?.data.map(({ listing_id }) => listing_id));
  return (
    <>
      <PageHead
        title="Marketplace"
        lead="Signed agents, workflows, tools, policies and datasets. What is installed starts as drafts; nothing of it runs by itself."
        actions={
          mayPublish ? (
            <Link to="/marketplace/publish" search={{}} className={buttonClass("plain")}>
              Publish or import
            </Link>
          ) : null
        }
      />
      <Rooms />
      <Filters search={search} onSearch={(next) => void navigate({ search: next })} />
      {data.data.length === 0 ? (
        <div className="mt-5 rounded-lg border border-line bg-surface shadow-card">
          <Nothing search={search} />
        </div>
      ) : (
        <>
          <p role="status" className="mt-5 mb-3 text-sm text-muted">
            {counted(data.data.length, "listing")}
            {data.has_more ? " on this page" : ""}
          </p>
          <ul aria-label="Listings" className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
            {data.data.map((listing) => (
              <li key={listing.listing_id} className="grid">
                <ListingCard listing={listing} here={here.has(listing.listing_id)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}

interface FiltersProps {
  readonly search: CatalogueSearch;
  readonly onSearch: (search: CatalogueSearch) => void;
}

function Filters({ search: { cursor: _, ...search }, onSearch }: FiltersProps) {
  const { data } = useLive(offered());
  const words = useRef<HTMLInputElement>(null);
  useShortcuts("Marketplace", [{ keys: "/", label: "Search the catalogue", run: () => words.current?.focus() }]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSearch({ ...search, q: words.current?.value.trim() || undefined });
  };
  return (
    <section aria-label="Filter listings" className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <form onSubmit={submit} className="flex min-w-0 flex-1 basis-72 items-end gap-2">
          <Field
            key={search.q}
            ref={words}
            name="q"
            type="search"
            label="Search"
            placeholder="invoices, routing, contracts …"
            defaultValue={search.q ?? ""}
            maxLength={200}
            className="min-w-0 flex-1"
          />
          <Button type="submit" shortcut="/">
            Search
          </Button>
        </form>
        <FunctionSelect listings={data?.data ?? []} search={search} onSearch={onSearch} />
        <Select
          label="From"
          value={search.origin ?? ""}
          onChange={({ target }) => onSearch({ ...search, origin: origins.find((one) => one === target.value) })}
          className="flex-1 basis-36 sm:max-w-48"
        >
          <option value="">anywhere</option>
          {origins.map((origin) => (
            <option key={origin} value={origin}>
              {originWords[origin]}
            </option>
          ))}
        </Select>
      </div>
      <Chips
        label="Kind"
        options={kinds.map((kind) => [kind, kindWords[kind]] as const)}
        chosen={search.kind ? [search.kind] : []}
        onChange={(next) => onSearch({ ...search, kind: kinds.find((kind) => kind === next.at(-1)) })}
      />
    </section>
  );
}

/** The business functions that listings name, and the chosen one. */
function FunctionSelect({ listings, search, onSearch }: FiltersProps & { readonly listings: readonly Listing[] }) {
  const known = new Set(listings.flatMap(({ business_function }) => business_function ?? []));
  if (search.function !== undefined) known.add(search.function);
  return (
    <Select
      label="Business function"
      value={search.function ?? ""}
      onChange={({ target }) => onSearch({ ...search, function: target.value || undefined })}
      className="flex-1 basis-40 sm:max-w-56"
    >
      <option value="">any</option>
      {[...known]
        .sort((a, b) => a.localeCompare(b, "en"))
        .map((name) => (
          <option key={name} value={name}>
            {sentenceCase(name)}
          </option>
        ))}
    </Select>
  );
}

function Nothing({ search }: { readonly search: CatalogueSearch }) {
  if (Object.values(search).some((value) => value !== undefined))
    return (
      <NothingFits title="No matching listings">
        <Link to="/marketplace" search={{}}>
          The whole catalogue
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState
      title="The catalogue is empty"
      action={
        <Link to="/marketplace/publish" search={{}} className={buttonClass("primary")}>
          Publish or import
        </Link>
      }
    >
      Listings come from own work or from an .aosbundle file of another installation. Each is scanned and signed, and
      another person approves it before it can be installed.
    </EmptyState>
  );
}
