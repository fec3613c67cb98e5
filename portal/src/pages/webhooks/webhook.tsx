import { PageHead } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";

export function WebhookPage() {
  return (
    <>
      <PageHead title="Webhook" />
      <Skeleton lines={5} />
    </>
  );
}
