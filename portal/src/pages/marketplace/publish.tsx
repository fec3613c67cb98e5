import { PageHead } from "../../ui/card.tsx";
import { Rooms } from "./rooms.tsx";

/** Own work, or a file from elsewhere, for the catalogue. */
export function PublishPage() {
  return (
    <>
      <PageHead title="Publish" />
      <Rooms />
    </>
  );
}
