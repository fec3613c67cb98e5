import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus, Search } from "lucide-react";
import { useState } from "react";
import type { Base } from "../../api/knowledge.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { BaseHealth } from "./base-parts.tsx";
import { CreateBase } from "./create-base.tsx";
import { basesOf } from "./loaders.ts";
import { readersText } from "./words.ts";

const route = getRouteApi("/shell/knowledge");

/** Knowledge bases, and how each of them does. */
export function BasesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(basesOf(search), { every: 5000 });
  const [creating, setCreating] = useState(false);
  const mayWrite = useMay("knowledge:write");
  useShortcuts("Knowledge", [
    { keys: "/", label: "Search", run: () => void navigate({ to: "/knowledge/search" }) },
    ...(mayWrite ? [{ keys: "n", label: "New base", run: () => setCreating(true) }] : []),
  ]);
  const add = mayWrite ? (
    <Button
      kind="primary"
      icon={<Plus className="size-4" aria-hidden="true" />}
      shortcut="n"
      onClick={() => setCreating(true)}
    >
      New base
    </Button>
  ) : null;
  return (
    <>
      <PageHead
        title="Knowledge"
        lead="Documents that agents and people search, with citations that lead to the exact place."
        actions={
          <>
            <Link to="/knowledge/search" className={buttonClass("plain")}>
              <Search className="size-4" aria-hidden="true" /> Search
            </Link>
            {add}
          </>
        }
      />
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState
            title="No knowledge bases yet"
            command={
              "aos knowledge bases create --name handbook\naos knowledge add-document handbook --file handbook.pdf"
            }
          >
            A base holds documents that agents may quote. Create one here and drop files into it, or use the command
            line:
          </EmptyState>
        ) : (
          <Table label="Knowledge bases" columns={columns} rows={data.data} rowKey={({ base_id }) => base_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { cursor } })}
        />
      </div>
      <CreateBase open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

const columns: readonly Column<Base>[] = [
  {
    name: "Base",
    cell: ({ name, description }) => (
      <span className="grid min-w-0 gap-0.5">
        <Link to="/knowledge/bases/$base" params={{ base: name }} className="font-medium hover:underline">
          {name}
        </Link>
        {description ? <span className="line-clamp-2 text-muted">{description}</span> : null}
      </span>
    ),
  },
  { name: "Health", cell: (base) => <BaseHealth base={base} /> },
  {
    name: "Size",
    cell: ({ documents, chunks }) => (
      <span className="grid gap-0.5 whitespace-nowrap">
        <span>{counted(documents, "document")}</span>
        <span className="text-muted">{counted(chunks, "chunk")}</span>
      </span>
    ),
  },
  {
    name: "Who may read",
    wideOnly: true,
    cell: ({ readers }) => <span className="text-muted">{readersText(readers)}</span>,
  },
  { name: "Changed", right: true, cell: ({ updated_at }) => <RelativeTime time={updated_at} className="text-muted" /> },
];
