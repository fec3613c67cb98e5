import { getRouteApi, Link } from "@tanstack/react-router";
import { readBase } from "../../api/knowledge.ts";
import { usePrefetched } from "../../api/queries.ts";
import { PageHead } from "../../ui/card.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { BaseFacts, BaseHealth } from "./base-parts.tsx";
import { Connectors } from "./connectors.tsx";
import { Documents } from "./documents.tsx";
import { Gaps } from "./gaps.tsx";
import type { BaseSearch as Search } from "./search.ts";
import { BaseSearch } from "./search-panel.tsx";
import { Settings } from "./settings.tsx";
import { RetrievalTest } from "./test.tsx";
import { useUploads } from "./uploads.ts";

const route = getRouteApi("/shell/knowledge/bases/$base");

/** One base: its documents, what is found in it and what is not, where it comes from, and its settings. */
export function BasePage() {
  const { base: name } = route.useParams();
  const { tab = "documents" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: base } = usePrefetched(readBase(name), { every: 4000 });
  const uploads = useUploads(name);
  const go = (next: string): void => void navigate({ search: { tab: next as Search["tab"] }, resetScroll: false });
  useShortcuts("Knowledge base", [{ keys: "/", label: "Search this base", run: () => go("search") }]);
  return (
    <>
      <PageHead
        title={base.name}
        lead={base.description || undefined}
        above={
          <>
            <Link to="/knowledge">Knowledge</Link>
            <BaseHealth base={base} />
          </>
        }
      />
      <div className={tab === "documents" ? undefined : "hidden sm:block"}>
        <BaseFacts base={base} />
      </div>
      <Tabs
        label="Knowledge base sections"
        current={tab}
        onChange={go}
        tabs={[
          { id: "documents", title: "Documents", content: () => <Documents base={base} uploads={uploads} /> },
          { id: "search", title: "Search", content: () => <BaseSearch base={base} /> },
          { id: "gaps", title: "Gaps", content: () => <Gaps base={base} /> },
          { id: "connectors", title: "Connectors", content: () => <Connectors base={base} /> },
          { id: "test", title: "Test", content: () => <RetrievalTest base={base} /> },
          { id: "settings", title: "Settings", content: () => <Settings base={base} /> },
        ]}
      />
    </>
  );
}
