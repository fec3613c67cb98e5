import { PageHead } from "../../ui/card.tsx";

/** One install: what it made, and what is left to do. */
export function InstallPage() {
  return <PageHead title="Install" />;
}
