import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function WebhooksPage() {
  return (
    <>
      <PageHead title="Webhooks" />
      <Skeleton lines={5} />
    </>
  );
}
