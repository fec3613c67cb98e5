import { PageHead } from "../../ui/card.tsx";
import { Rooms } from "./rooms.tsx";

/** Versions that wait for a second person. */
export function ReviewPage() {
  return (
    <>
      <PageHead title="Review" />
      <Rooms />
    </>
  );
}
