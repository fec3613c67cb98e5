import { PageHead } from "../../ui/card.tsx";
import { Rooms } from "./rooms.tsx";

/** What can be installed. */
export function CataloguePage() {
  return (
    <>
      <PageHead title="Marketplace" />
      <Rooms />
    </>
  );
}
