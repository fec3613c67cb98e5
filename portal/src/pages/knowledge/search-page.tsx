import { getRouteApi, Link } from "@tanstack/react-router";
import { usePrefetched } from "../../api/queries.ts";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { allBases } from "./loaders.ts";
import { type Question, SearchPanel } from "./search-panel.tsx";

const route = getRouteApi("/shell/knowledge/search");

/** The search over all bases, or some. */
export function SearchPage() {
  const { q = "", bases = "", as } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(allBases());
  const chosen = bases.split(",").filter((name) => name !== "");
  const go = (next: Question): void =>
    void navigate({
      search: { q: next.query || undefined, bases: next.bases.join(",") || undefined, as: next.as },
      replace: true,
      resetScroll: false,
    });
  const question: Question = { query: q, bases: chosen, as };
  return (
    <>
      <PageHead
        title="Search knowledge"
        lead="Finds what you may read, with a citation for each passage."
        above={<Link to="/knowledge">Knowledge</Link>}
      />
      <SearchPanel question={question} onAsk={go}>
        {data.data.length > 1 ? (
          <div className="flex flex-wrap items-center gap-2">
            <span aria-hidden="true" className="text-sm text-muted">
              Only in
            </span>
            <Chips
              label="Bases"
              options={data.data.map(({ name }) => [name, name] as const)}
              chosen={chosen}
              onChange={(next) => go({ ...question, bases: next })}
            />
          </div>
        ) : null}
      </SearchPanel>
    </>
  );
}
