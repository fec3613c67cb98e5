import { PageHead } from "../../ui/card.tsx";
import { Rooms } from "./rooms.tsx";

/** What is installed in this environment. */
export function InstallsPage() {
  return (
    <>
      <PageHead title="Installs" />
      <Rooms />
    </>
  );
}
