import { PageHead } from "../../ui/card.tsx";

/** One listing: what one should know before installing it. */
export function ListingPage() {
  return <PageHead title="Listing" />;
}
