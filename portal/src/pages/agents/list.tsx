import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function AgentsPage() {
  return (
    <>
      <PageHead title="Agents" />
      <Skeleton lines={5} />
    </>
  );
}
