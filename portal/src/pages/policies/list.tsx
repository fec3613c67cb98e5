import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function PoliciesPage() {
  return (
    <>
      <PageHead title="Policies" />
      <Skeleton lines={5} />
    </>
  );
}
