import { clsx } from "clsx";
import { Star } from "lucide-react";
import { useState } from "react";
import { listMembers } from "../../api/admin.ts";
import { type ListingDetail, type ListingReview, listRatings, rateListing } from "../../api/marketplace.ts";
import { useChange, useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { counted, visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { Stars } from "./badges.tsx";

/** What members think of it, and a form for one's own rating. */
export function Ratings({ listing }: { readonly listing: ListingDetail }) {
  const { data, error } = useLive(listRatings(listing.listing_id));
  const mayRate = useMay("marketplace:rate");
  const { data: session } = usePrefetched(sessionQuery);
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={5} />;
  const own = data.data.find(({ member }) => member === session?.member) ?? null;
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <Card title="Ratings" aside={listing.rating ? <Stars rating={listing.rating} /> : null}>
        {data.data.length === 0 ? (
          <p className="text-sm text-muted">Nobody rated it yet.</p>
        ) : (
          <ul aria-label="Ratings" className="grid gap-4">
            {data.data.map((review) => (
              <Rating key={review.member} review={review} />
            ))}
          </ul>
        )}
      </Card>
      {mayRate ? <RatingForm key={own?.updated_at} listing={listing} own={own} /> : null}
    </div>
  );
}

function Rating({
  review: { member, stars, text, version, installed, updated_at },
}: {
  readonly review: ListingReview;
}) {
  const mayRead = useMay("admin:read");
  const { data } = useLive(listMembers(), { when: mayRead });
  const name = data?.data.find((one) => one.member_id === member)?.name ?? member;
  return (
    <li className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FiveStars stars={stars} />
        <span className="font-medium">{visible(name)}</span>
        <span className="text-muted">
          version {version}, {installed ? "installed" : "not installed"}, <RelativeTime time={updated_at} />
        </span>
      </p>
      {text === null ? null : <p className="wrap-anywhere whitespace-pre-wrap">{visible(text)}</p>}
    </li>
  );
}

const five = [1, 2, 3, 4, 5] as const;

function FiveStars({ stars }: { readonly stars: number }) {
  return (
    <span role="img" aria-label={`${stars} of 5 stars`} className="inline-flex">
      {five.map((at) => (
        <Star
          key={at}
          aria-hidden="true"
          className={clsx("size-4", at <= stars ? "fill-current text-warn" : "text-line-strong")}
        />
      ))}
    </span>
  );
}

function RatingForm({ listing, own }: { readonly listing: ListingDetail; readonly own: ListingReview | null }) {
  const [stars, setStars] = useState(own?.stars ?? 0);
  const change = useChange(rateListing, [
    "/v1/marketplace/listings/{listing}/reviews",
    "/v1/marketplace/listings/{listing}",
    "/v1/marketplace/listings",
  ]);
  const submit = (form: FormData): void => {
    const text = String(form.get("text")).trim();
    change.mutate(
      { listing: listing.listing_id, stars, version: listing.version, ...(text === "" ? {} : { text }) },
      { onSuccess: () => toast("Thank you: your rating is there.") },
    );
  };
  return (
    <Card title={own === null ? "Rate it" : "Your rating"}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
        className="grid gap-3"
      >
        <fieldset className="flex gap-0.5">
          <legend className="mb-1.5 text-sm font-medium">Stars</legend>
          {five.map((at) => (
            <StarChoice key={at} at={at} stars={stars} onChoose={setStars} />
          ))}
        </fieldset>
        <TextArea
          name="text"
          label="What worked and what did not"
          rows={4}
          maxLength={2000}
          defaultValue={own?.text ?? ""}
          hint="Everybody in this organization reads it, with your name."
        />
        {change.error ? <ErrorState error={change.error} /> : null}
        <div>
          <Button kind="primary" type="submit" busy={change.isPending} disabled={stars === 0}>
            {own === null ? "Rate" : "Change my rating"}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function StarChoice({
  at,
  stars,
  onChoose,
}: {
  readonly at: number;
  readonly stars: number;
  readonly onChoose: (stars: number) => void;
}) {
  return (
    <label className="cursor-pointer rounded p-1 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:p-2.5">
      <input
        type="radio"
        name="stars"
        value={at}
        checked={stars === at}
        onChange={() => onChoose(at)}
        className="sr-only"
      />
      <span className="sr-only">{counted(at, "star")}</span>
      <Star
        aria-hidden="true"
        className={clsx("size-6", at <= stars ? "fill-current text-warn" : "text-line-strong")}
      />
    </label>
  );
}
