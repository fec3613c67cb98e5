import { getRouteApi, Link } from "@tanstack/react-router";
import { Download, Flag } from "lucide-react";
import { useState } from "react";
import { type ListingDetail, readBundleText, readListing } from "../../api/marketplace.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { saveText } from "../../lib/csv.ts";
import { visible } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { About } from "./about.tsx";
import { PublisherMark, ScanBadge, Stars } from "./badges.tsx";
import { Consent } from "./consent.tsx";
import { ListingState } from "./listing-state.tsx";
import { installedHere } from "./loaders.ts";
import { PermissionGroups } from "./permissions.tsx";
import { Ratings } from "./ratings.tsx";
import { ReportListing } from "./report.tsx";
import { Scan } from "./scan.tsx";
import type { ListingSearch } from "./search.ts";
import { Signature } from "./signature.tsx";
import { Versions } from "./versions.tsx";
import { kindWords, levelsText, sentenceCase } from "./words.ts";

const route = getRouteApi("/shell/marketplace/listings/$listing");

/** One listing: what one should know before installing it. */
export function ListingPage() {
  const { listing: id } = route.useParams();
  const { tab = "about", install } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: listing } = usePrefetched(readListing(id), { every: 30_000 });
  const go = (search: ListingSearch): void => void navigate({ search, resetScroll: false });
  const tabs = [
    { id: "about", title: "About", content: () => <About listing={listing} /> },
    { id: "permissions", title: "Permissions", content: () => <Permissions listing={listing} /> },
    { id: "signature", title: "Signature and files", content: () => <Signature listing={listing} /> },
    { id: "versions", title: "Versions", content: () => <Versions listing={listing} /> },
    { id: "ratings", title: "Ratings", content: () => <Ratings listing={listing} /> },
    { id: "scan", title: "Scan", content: () => <Scan listing={listing} /> },
  ] as const;
  return (
    <>
      <PageHead
        above={
          <Link to="/marketplace" search={{}} className="hover:underline">
            Marketplace
          </Link>
        }
        title={visible(listing.title)}
        lead={
          <>
            <p>{visible(listing.summary)}</p>
            <Marks listing={listing} />
          </>
        }
        actions={<Actions listing={listing} onInstall={() => go({ tab, install: "yes" })} />}
      />
      <ListingState listing={listing} />
      <Tabs
        label="Parts of the listing"
        tabs={tabs}
        current={tab}
        onChange={(next) => go({ tab: tabs.find((one) => one.id === next)?.id })}
      />
      {install === "yes" ? <Consent listing={listing} onClose={() => go({ tab })} /> : null}
    </>
  );
}

function Marks({ listing }: { readonly listing: ListingDetail }) {
  const { kind, business_function, publisher, version, state } = listing;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Badge tone="accent">{kindWords[kind]}</Badge>
      {business_function ? <Badge>{visible(sentenceCase(business_function))}</Badge> : null}
      {state === "approved" ? null : <StatusBadge status={state} />}
      <span>Version {version}</span>
      <PublisherMark publisher={publisher} />
      <Stars rating={listing.rating} />
      <ScanBadge scan={listing.scan} />
    </div>
  );
}

function Actions({ listing, onInstall }: { readonly listing: ListingDetail; readonly onInstall: () => void }) {
  const { data } = useLive(installedHere());
  const [mayInstall, mayReport] = [useMay("marketplace:install"), useMay("marketplace:rate")];
  const [reporting, setReporting] = useState(false);
  const [loading, setLoading] = useState(false);
  const install = data?.data.find(({ listing_id }) => listing_id === listing.listing_id);
  const offers = mayInstall && listing.state === "approved";
  useShortcuts("This listing", offers ? [{ keys: "i", label: "Install", run: onInstall }] : []);
  const download = (): void => {
    setLoading(true);
    readBundleText(listing.listing_id, listing.version)
      .then((text) => saveText(`${listing.name}-${listing.version}.aosbundle`, text, "application/vnd.aos.bundle+json"))
      .catch(toastProblem)
      .finally(() => setLoading(false));
  };
  return (
    <>
      {mayReport ? (
        <Button kind="quiet" icon={<Flag className="size-4" aria-hidden="true" />} onClick={() => setReporting(true)}>
          Report
        </Button>
      ) : null}
      {isCarried(listing) ? (
        <Button busy={loading} icon={<Download className="size-4" aria-hidden="true" />} onClick={download}>
          Download
        </Button>
      ) : null}
      {install ? (
        <Link
          to="/marketplace/installs/$install"
          params={{ install: install.install_id }}
          search={{}}
          className={buttonClass(offers ? "plain" : "primary")}
        >
          Open install
        </Link>
      ) : null}
      {offers ? (
        <Button kind={install ? "plain" : "primary"} aria-haspopup="dialog" shortcut="i" onClick={onInstall}>
          {install ? "Install again" : "Install"}
        </Button>
      ) : null}
      {reporting ? <ReportListing listing={listing} onClose={() => setReporting(false)} /> : null}
    </>
  );
}

/** Whether its file may be taken to another installation. */
const isCarried = ({ visibility, state }: ListingDetail): boolean =>
  visibility === "public" && state !== "quarantined" && state !== "recalled";

function Permissions({ listing: { permissions, permissions_digest } }: { readonly listing: ListingDetail }) {
  return (
    <Card title="What it asks for" className="max-w-3xl">
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          It asks for {levelsText(permissions)}. This list is computed from the bundle's files, not taken from its
          publisher's word. Once it is installed, policies, approvals and kill switches hold it like any other work.
        </p>
        <PermissionGroups permissions={permissions} exact />
        <p className="text-xs text-muted">
          Digest of these permissions: <code className="id">{permissions_digest}</code>
        </p>
      </div>
    </Card>
  );
}
