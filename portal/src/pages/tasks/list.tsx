import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function TasksPage() {
  return (
    <>
      <PageHead title="Tasks" />
      <Skeleton lines={5} />
    </>
  );
}
