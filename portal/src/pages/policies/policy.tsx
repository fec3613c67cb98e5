import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function PolicyPage() {
  return (
    <>
      <PageHead title="Policy" />
      <Skeleton lines={5} />
    </>
  );
}
