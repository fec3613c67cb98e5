import { Sparkles } from "lucide-react";
import { suggest } from "../../api/chat-people.ts";
import { useChange } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/states.tsx";

interface Props {
  readonly conversation: string;
  /** Puts a draft into the field, where its person changes and sends it. */
  readonly onInsert: (draft: string) => void;
}

/** Drafts of an answer. None of them is sent by itself. */
export function Suggestions({ conversation, onInsert }: Props) {
  const change = useChange(suggest);
  const { data } = change;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          kind="quiet"
          busy={change.isPending}
          icon={<Sparkles className="size-3.5" aria-hidden="true" />}
          onClick={() => change.mutate(conversation)}
        >
          {data ? "Suggest again" : "Suggest an answer"}
        </Button>
        {data ? (
          <Button size="small" kind="quiet" onClick={() => change.reset()}>
            Hide
          </Button>
        ) : null}
      </div>
      {change.error ? <ErrorState error={change.error} /> : null}
      {data?.note ? <p className="text-muted">{data.note}</p> : null}
      {data && data.suggestions.length > 0 ? (
        <ul aria-label="Suggestions" className="grid max-h-52 grid-cols-[minmax(0,1fr)] gap-2 overflow-y-auto">
          {data.suggestions.map(({ text, generated, source }) => (
            <li
              key={text}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-md border border-line bg-sunken p-2.5"
            >
              <div className="grid justify-items-start gap-1">
                <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
                {generated ? (
                  <Badge tone="info">generated</Badge>
                ) : (
                  <span className="text-xs text-muted">quoted{source ? ` from ${source.title}` : ""}</span>
                )}
              </div>
              <Button size="small" onClick={() => onInsert(text)}>
                Insert
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
