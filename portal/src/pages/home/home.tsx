import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function HomePage() {
  return (
    <>
      <PageHead title="Home" />
      <Skeleton lines={5} />
    </>
  );
}
