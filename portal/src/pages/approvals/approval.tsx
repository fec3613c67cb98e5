import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function ApprovalPage() {
  return (
    <>
      <PageHead title="Approval" />
      <Skeleton lines={5} />
    </>
  );
}
