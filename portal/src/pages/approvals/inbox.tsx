import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function InboxPage() {
  return (
    <>
      <PageHead title="Approvals" />
      <Skeleton lines={5} />
    </>
  );
}
