import { PageHead } from "../../ui/card.tsx";
import { Rooms } from "./rooms.tsx";

/** What was stopped everywhere, and why. */
export function RecallsPage() {
  return (
    <>
      <PageHead title="Recalls" />
      <Rooms />
    </>
  );
}
