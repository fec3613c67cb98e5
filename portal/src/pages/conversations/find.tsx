import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { type FoundMessage, searchMessages } from "../../api/chat-search.ts";
import { useLive } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import type { FindSearch } from "./search.ts";

const route = getRouteApi("/shell/conversations/search");

/** Finds messages by their words. */
export function FindPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string | undefined => String(form.get(name)).trim() || undefined;
    void navigate({ search: { q: text("q"), agent: text("agent"), user: text("user") } });
  };
  return (
    <>
      <PageHead
        title="Search conversations"
        above={
          <Link to="/conversations" search={{}}>
            Conversations
          </Link>
        }
      />
      <form key={JSON.stringify(search)} onSubmit={submit} className="mb-5 flex flex-wrap items-end gap-3">
        <Field name="q" label="Words" defaultValue={search.q ?? ""} required className="min-w-56 flex-1" />
        <Field name="agent" label="Agent" defaultValue={search.agent ?? ""} className="w-40" />
        <Field name="user" label="User" defaultValue={search.user ?? ""} className="w-40" />
        <Button kind="primary" type="submit">
          Search
        </Button>
      </form>
      {search.q === undefined ? null : <Results search={{ ...search, q: search.q }} />}
    </>
  );
}

function Results({ search: { q, agent, user } }: { readonly search: FindSearch & { readonly q: string } }) {
  const { data, error } = useLive(searchMessages({ query: q, agent, user }));
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      {data.data.length === 0 ? (
        <EmptyState title="Nothing found">No message has all of these words.</EmptyState>
      ) : (
        <p role="status" className="border-b border-line px-5 py-3 text-sm text-muted">
          {counted(data.data.length, "message")}
          {data.has_more ? ", and more" : ""}
        </p>
      )}
      <ul aria-label="Messages found" className="divide-y divide-line">
        {data.data.map((found) => (
          <Found key={found.message_id} found={found} />
        ))}
      </ul>
    </div>
  );
}

function Found({ found }: { readonly found: FoundMessage }) {
  return (
    <li className="hover:bg-sunken">
      <Link
        to="/conversations/$conversation"
        params={{ conversation: found.conversation_id }}
        className="grid gap-1 px-4 py-3 text-sm sm:px-5"
      >
        <span className="wrap-anywhere">{visible(found.snippet)}</span>
      </Link>
    </li>
  );
}
