import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type ListingDetail, type ListingVersion, readListing } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { DigestText } from "../../ui/code.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { differenceOf } from "./difference.ts";
import { Person } from "./install-person.tsx";
import { PermissionChanges, PermissionGroups } from "./permissions.tsx";
import { DecideDialog, type Decision } from "./review-decide.tsx";
import { Reports } from "./review-reports.tsx";
import { Scan } from "./scan.tsx";
import { ScorecardCard } from "./scorecard.tsx";

/** A listing as its reviewers need it: what waits, in front; else what can be stopped. */
export function ReviewListing({ listing }: { readonly listing: ListingDetail }) {
  const waiting = listing.versions.filter(({ state }) => state === "submitted");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {waiting.length === 0 ? <p className="text-sm text-muted">No version of it waits for review.</p> : null}
      {waiting.map((version) => (
        <Waiting key={version.version} listing={listing} version={version} />
      ))}
      <Standing listing={listing} />
      <Reports listing={listing} />
    </div>
  );
}

/** A version that waits, with all that an approval is about. */
function Waiting({
  listing: { listing_id },
  version,
}: {
  readonly listing: ListingDetail;
  readonly version: ListingVersion;
}) {
  const { data, error } = useLive(readListing(listing_id, version.version));
  const [decision, setDecision] = useState<Decision | null>(null);
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={8} />;
  return (
    <section aria-label={`Version ${version.version}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">
          Version {version.version} <span className="font-normal text-muted">waits</span>
        </h2>
        <span className="flex flex-wrap gap-2">
          <Button kind="refuse" onClick={() => setDecision("reject")}>
            Reject…
          </Button>
          <Button kind="primary" onClick={() => setDecision("approve")}>
            Approve…
          </Button>
        </span>
      </div>
      <Submission version={version} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <Asks detail={data} />
        <ScorecardCard scorecard={data.scorecard} />
      </div>
      <Scan listing={data} version={version.version} />
      {decision === null ? null : (
        <DecideDialog listing={data} version={version} decision={decision} onClose={() => setDecision(null)} />
      )}
    </section>
  );
}

function Submission({
  version: { submitted_by, created_at, note, changes, digest },
}: {
  readonly version: ListingVersion;
}) {
  return (
    <Card title="Submitted">
      <Facts
        facts={[
          [
            "By",
            <span key="by">
              <Person member={submitted_by} /> <RelativeTime time={created_at} />
            </span>,
          ],
          ["Note", note === null ? "none" : <Said key="note" text={note} />],
          changes !== null && ["What is new", <Said key="changes" text={changes} />],
          ["Bundle", <DigestText key="digest" digest={digest} />],
        ]}
      />
    </Card>
  );
}

const Said = ({ text }: { readonly text: string }) => (
  <span className="wrap-anywhere whitespace-pre-wrap">{visible(text)}</span>
);

/** What it asks for; of a later version first what it asks for in addition. */
function Asks({ detail }: { readonly detail: ListingDetail }) {
  const before = detail.versions.find(({ state, version }) => state === "approved" && version !== detail.version);
  const { data } = useLive(readListing(detail.listing_id, before?.version), { when: before !== undefined });
  return (
    <Card title="What it asks for">
      <div className="grid gap-5">
        {before && data ? (
          <section aria-label="Difference" className="grid gap-2">
            <p className="text-sm text-muted">Against {before.version}, which is approved:</p>
            <PermissionChanges difference={differenceOf(data.permissions, detail.permissions)} />
          </section>
        ) : null}
        <PermissionGroups permissions={detail.permissions} exact />
      </div>
    </Card>
  );
}

/** What is approved or held, and the buttons that stop it or let it go on. */
function Standing({ listing }: { readonly listing: ListingDetail }) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const [again, setAgain] = useState<ListingVersion | null>(null);
  const approved = listing.versions.find(({ state }) => state === "approved");
  const held = listing.versions.filter(({ state }) => state === "quarantined");
  const recalled = listing.versions.some(({ state }) => state === "recalled");
  if (approved === undefined && held.length === 0) return recalled ? <Recalled /> : null;
  return (
    <Card title={held.length > 0 ? heldText(held) : "Stop what is approved"}>
      <div className="grid gap-3 text-sm">
        {held[0]?.reason ? <Said text={`“${held[0].reason}”`} /> : null}
        <p className="max-w-prose text-muted">
          {held.length > 0
            ? "Approve a version again to let it be installed; kill switches stay until people release them. Or recall it for good."
            : "A quarantine stops what is installed until the listing is approved again, a recall for good. One person decides; work under way is ended."}
        </p>
        <span className="flex flex-wrap gap-2">
          {held.map((version) => (
            <Button key={version.version} onClick={() => setAgain(version)}>
              Approve {version.version} again…
            </Button>
          ))}
          {approved ? (
            <Button kind="refuse" onClick={() => setDecision("quarantine")}>
              Quarantine…
            </Button>
          ) : null}
          <Button kind="danger" onClick={() => setDecision("recall")}>
            Recall…
          </Button>
        </span>
      </div>
      {decision === null ? null : (
        <DecideDialog listing={listing} version={null} decision={decision} onClose={() => setDecision(null)} />
      )}
      {again === null ? null : (
        <DecideDialog listing={listing} version={again} decision="approve" onClose={() => setAgain(null)} />
      )}
    </Card>
  );
}

const heldText = (held: readonly ListingVersion[]): string =>
  `${held.length === 1 ? "Version" : "Versions"} ${held.map(({ version }) => version).join(", ")} quarantined`;

const Recalled = () => (
  <Notice tone="bad">
    It was recalled, which is for good.{" "}
    <Link to="/marketplace/recalls" search={{}} className="font-medium text-accent underline underline-offset-2">
      What was stopped
    </Link>
  </Notice>
);
