import { Link } from "@tanstack/react-router";
import type { ListingDetail } from "../../api/marketplace.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { counted, visible } from "../../lib/words.ts";
import { Notice } from "../../ui/states.tsx";

/** What stands in the way of installing it, and what reviewers should see first. */
export function ListingState({ listing }: { readonly listing: ListingDetail }) {
  const { data: session } = usePrefetched(sessionQuery);
  const mayReview = useMay("marketplace:review");
  const shown = listing.versions.find(({ version }) => version === listing.version);
  const waiting = listing.versions.find(({ state }) => state === "submitted");
  const loose =
    listing.state === "approved" && shown?.review_strict === false && session?.environment !== "development";
  const review = (
    <Link
      to="/marketplace/review"
      search={{ listing: listing.listing_id }}
      className="font-medium text-accent underline underline-offset-2"
    >
      Review it
    </Link>
  );
  return (
    <div className="mb-5 grid gap-3 empty:hidden">
      <Held listing={listing} reason={shown?.reason ?? null} />
      {waiting ? (
        <Notice tone="warn">
          Version {waiting.version} waits for review: somebody other than who submitted it has to approve it.{" "}
          {mayReview ? review : null}
        </Notice>
      ) : null}
      {loose ? (
        <Notice tone="warn">
          This version was approved for development only. In {session?.environment ?? "this environment"} a second
          person who signed in personally has to approve it.
        </Notice>
      ) : null}
      {mayReview && listing.open_reports > 0 ? (
        <Notice tone="warn">
          {counted(listing.open_reports, "report")} of abuse since it was last reviewed. {review}
        </Notice>
      ) : null}
    </div>
  );
}

const held: Readonly<Partial<Record<ListingDetail["state"], string>>> = {
  quarantined: "Quarantined: it cannot be installed, and what is installed was stopped until it is approved again.",
  recalled: "Recalled: it cannot be installed any more, and what is installed was stopped for good.",
  rejected: "Rejected by its reviewer.",
  withdrawn: "Withdrawn: its publisher offers it no longer. What is installed goes on.",
};

function Held({ listing: { state }, reason }: { readonly listing: ListingDetail; readonly reason: string | null }) {
  const text = held[state];
  if (text === undefined) return null;
  return (
    <Notice tone={state === "withdrawn" ? "info" : "bad"}>
      <span className="font-medium">{text}</span>
      {reason === null || state === "withdrawn" ? null : <span className="mt-1 block">“{visible(reason)}”</span>}
    </Notice>
  );
}
