import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function KeysPage() {
  return (
    <>
      <PageHead title="Keys" />
      <Skeleton lines={5} />
    </>
  );
}
