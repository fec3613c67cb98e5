import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function AgentPage() {
  return (
    <>
      <PageHead title="Agent" />
      <Skeleton lines={5} />
    </>
  );
}
