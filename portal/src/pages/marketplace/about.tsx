import type { ReactNode } from "react";
import { changeListing, type ListingDetail, listingPaths, withdrawListing } from "../../api/marketplace.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Select } from "../../ui/field.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { ScorecardCard } from "./scorecard.tsx";
import { levelsText, originWords } from "./words.ts";

/** What it is for, what was measured, and what it cannot do. */
export function About({ listing }: { readonly listing: ListingDetail }) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <ScorecardCard scorecard={listing.scorecard} />
        <Limits limits={listing.limits} />
        {listing.readme === null ? null : (
          <Card title="Read me">
            <div className="max-w-3xl text-sm">
              <Markdown text={listing.readme} />
            </div>
          </Card>
        )}
        <Manage listing={listing} />
      </div>
      <div className="grid gap-5 max-xl:order-first">
        <AtAGlance listing={listing} />
        <Requires listing={listing} />
      </div>
    </div>
  );
}

function Limits({ limits }: { readonly limits: readonly string[] }) {
  return (
    <Card title="What it cannot do">
      {limits.length === 0 ? (
        <p className="text-sm text-muted">Its publisher says nothing about this.</p>
      ) : (
        <Bullets texts={limits} />
      )}
    </Card>
  );
}

function Bullets({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-sm">
      {texts.map((text) => (
        <li key={text} className="wrap-anywhere">
          {visible(text)}
        </li>
      ))}
    </ul>
  );
}

function AtAGlance({ listing }: { readonly listing: ListingDetail }) {
  const newest = listing.versions.find(({ version }) => version === listing.version);
  return (
    <Card title="At a glance">
      <Facts
        facts={[
          ["Asks for", levelsText(listing.permissions)],
          ["Version", listing.version],
          ["From", originWords[listing.origin]],
          ["License", listing.license === null ? "not said" : visible(listing.license)],
          ["Installs", counted(listing.installs, "install")],
          newest?.state === "approved" && newest.reviewed_at
            ? ["Approved", <RelativeTime key="approved" time={newest.reviewed_at} />]
            : null,
          ["Leaves here", listing.visibility === "public" ? "its file can be downloaded" : "never: it is private"],
        ]}
      />
    </Card>
  );
}

function Requires({ listing: { requires } }: { readonly listing: ListingDetail }) {
  const needs: ReactNode[] = requires.connections.map((name) => (
    <li key={`connection ${name}`}>
      A connection <code className="id">{visible(name)}</code>
    </li>
  ));
  const notes = requires.notes.map((note) => (
    <li key={note} className="wrap-anywhere">
      {visible(note)}
    </li>
  ));
  if (needs.length + notes.length === 0) return null;
  return (
    <Card title="What it needs">
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        {needs}
        {notes}
      </ul>
    </Card>
  );
}

/** What is not signed, and whether it is offered at all: for whoever publishes it. */
function Manage({ listing }: { readonly listing: ListingDetail }) {
  const mayWrite = useMay("marketplace:write");
  const change = useChange(changeListing, listingPaths);
  const withdraw = useChange(withdrawListing, listingPaths);
  if (!mayWrite || listing.state === "withdrawn" || listing.state === "recalled") return null;
  const { listing_id, revision, visibility } = listing;
  const setVisibility = (next: string): void =>
    change.mutate(
      { listing: listing_id, revision, visibility: next === "public" ? "public" : "private" },
      { onSuccess: () => toast(next === "public" ? "Its file can be downloaded now." : "It is private now.") },
    );
  return (
    <Card title="Manage">
      <div className="grid gap-3 text-sm">
        <Select
          label="Its file"
          value={visibility}
          disabled={change.isPending}
          onChange={({ target }) => setVisibility(target.value)}
          className="sm:max-w-96"
        >
          <option value="private">stays in this organization</option>
          <option value="public">may be taken to other installations</option>
        </Select>
        {change.error ? <ErrorState error={change.error} /> : null}
        <p className="text-muted">Withdrawn, it is not offered any more. What is installed goes on.</p>
        <div>
          <Button
            kind="refuse"
            size="small"
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate(listing_id, { onSuccess: () => toast("The listing was withdrawn.") })}
          >
            Withdraw
          </Button>
        </div>
        {withdraw.error ? <ErrorState error={withdraw.error} /> : null}
      </div>
    </Card>
  );
}
