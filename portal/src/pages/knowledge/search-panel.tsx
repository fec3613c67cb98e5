import { getRouteApi, Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type Base, type SearchAnswer, searchKnowledge } from "../../api/knowledge.ts";
import { useKept, useLive } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { Passages } from "./passages.tsx";

const route = getRouteApi("/shell/knowledge/bases/$base");

/** The search of one base, whose question stands in the address. */
export function BaseSearch({ base }: { readonly base: Base }) {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SearchPanel
      question={{ query: q ?? "", bases: [base.name] }}
      onAsk={({ query }) => void navigate({ search: { tab: "search", q: query || undefined }, replace: true })}
    />
  );
}

export interface Question {
  readonly query: string;
  /** Names of bases; none: all that the caller may read. */
  readonly bases: readonly string[];
  /** Whose sight narrows what is found. */
  readonly as?: string | undefined;
}

export interface SearchPanelProps {
  readonly question: Question;
  readonly onAsk: (question: Question) => void;
  /** More of the question, beside its words. */
  readonly children?: React.ReactNode;
}

/** A question, and the passages that answer it. */
export function SearchPanel({ question, onAsk, children }: SearchPanelProps) {
  const [as, setAs] = useState(question.as ?? "");
  const { again } = useKept();
  useShortcuts("Search", [
    { keys: "/", label: "Ask", run: () => document.querySelector<HTMLInputElement>("#question input")?.focus() },
  ]);
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const next = { ...question, query: String(form.get("query")).trim(), as: as.trim() || undefined };
    void again(searchKnowledge(next)); // the documents may have changed since
    onAsk(next);
  };
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element */}
      <form role="search" id="question" aria-label="Search knowledge" onSubmit={ask} className="grid gap-3">
        <div className="flex flex-wrap items-end gap-2">
          <Field
            key={question.query}
            name="query"
            type="search"
            label="What are you looking for?"
            placeholder={'how long may goods be returned, "return label", …'}
            defaultValue={question.query}
            className="min-w-0 flex-1 basis-64"
          />
          <Field
            name="as"
            label="Search as"
            placeholder="agent:sales, mbr_…"
            value={as}
            onChange={({ target }) => setAs(target.value)}
            className="w-full sm:w-44"
          />
          <Button kind="primary" type="submit" icon={<Search className="size-4" aria-hidden="true" />}>
            Search
          </Button>
        </div>
        <p className="text-xs text-muted">
          Quotation marks find a phrase. “Search as” shows what an agent or member would find, as far as you may read it
          yourself.
        </p>
        {children}
      </form>
      {question.query === "" ? null : <Results question={question} />}
    </div>
  );
}

function Results({ question }: { readonly question: Question }) {
  const { data, error, isFetching } = useLive(searchKnowledge(question));
  if (error) return <ErrorState error={error} />;
  if (data === undefined)
    return (
      <div className="rounded-lg border border-line bg-surface p-5">
        <Skeleton lines={6} />
      </div>
    );
  return (
    <div aria-busy={isFetching} className="grid gap-4">
      <Verdict answer={data} bases={question.bases} />
      {data.data.length === 0 ? null : <Passages passages={data.data} />}
    </div>
  );
}

/** How good what was found is, and what the question was read as. */
function Verdict({ answer, bases }: { readonly answer: SearchAnswer; readonly bases: readonly string[] }) {
  const corrected = answer.corrected.map(({ from, to }) => `“${from}” as “${to}”`).join(", ");
  if (answer.data.length === 0)
    return (
      <div className="rounded-lg border border-line bg-surface shadow-card">
        <EmptyState title="Nothing was found">
          {corrected === "" ? null : <p>Read {corrected}.</p>}
          <p>
            Ask in other words, or add a document that answers it. <Listed bases={bases} />
          </p>
        </EmptyState>
      </div>
    );
  return (
    <>
      {answer.reranked === false ? (
        <Notice tone="warn" live>
          The reranker failed: the passages are in the plain order. {answer.note}
        </Notice>
      ) : null}
      {answer.answered ? null : (
        <Notice tone="warn" live>
          <strong className="font-semibold">Nothing good was found.</strong> These passages share some words with the
          question, and may not answer it. <Listed bases={bases} />
        </Notice>
      )}
      {corrected === "" ? null : <p className="text-sm text-muted">Read {corrected}.</p>}
    </>
  );
}

/** Where a question without a good answer is kept. */
function Listed({ bases }: { readonly bases: readonly string[] }) {
  const [base, ...others] = bases;
  if (base === undefined || others.length > 0) return "The question is listed under the base's gaps.";
  return (
    <>
      The question is listed under{" "}
      <Link to="/knowledge/bases/$base" params={{ base }} search={{ tab: "gaps" }} className="underline">
        the gaps of {base}
      </Link>
      .
    </>
  );
}
