import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function TaskPage() {
  return (
    <>
      <PageHead title="Task" />
      <Skeleton lines={5} />
    </>
  );
}
