import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { addMemory, eraseMemory, listMemories, type OfWhom } from "../../api/chat-memories.ts";
import type { Conversation, Memory } from "../../api/chat-types.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toastProblem } from "../../ui/toast.tsx";

/** What the agent keeps of the user, or of the conversation where its user is not named: each with its source, and erasable. */
export function Memories({ conversation }: { readonly conversation: Conversation }) {
  const { user, conversation_id: id } = conversation;
  const whom: OfWhom = user === null ? { conversation: id } : { user };
  const { data, error } = useLive(listMemories(whom), { every: 15_000 });
  const [adding, setAdding] = useState(false);
  const mayAnswer = useMay("chat:answer");
  return (
    <Card
      title={user === null ? "Memories of this conversation" : `Memories of ${user}`}
      aside={
        mayAnswer ? (
          <Button size="small" aria-expanded={adding} onClick={() => setAdding(!adding)}>
            Add
          </Button>
        ) : null
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {adding ? <Add conversation={conversation} onDone={() => setAdding(false)} /> : null}
        {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={2} /> : null}
        {data?.data.length === 0 ? <p className="text-muted">Nothing is remembered.</p> : null}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {data?.data.map((memory) => (
            <Remembered key={memory.memory_id} memory={memory} mayErase={mayAnswer} />
          ))}
        </ul>
      </div>
    </Card>
  );
}

function Remembered({ memory, mayErase }: { readonly memory: Memory; readonly mayErase: boolean }) {
  const change = useChange(eraseMemory, ["/v1/chat/memories"]);
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{visible(memory.text)}</p>
        <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
          {memory.generated ? <Badge tone="info">generated</Badge> : null}
          {memory.source_message_id === null ? "entered by hand" : "from a message"}{" "}
          <RelativeTime time={memory.created_at} />
        </p>
      </div>
      {mayErase ? (
        <IconButton
          label={`Erase “${memory.text.slice(0, 40)}”`}
          disabled={change.isPending}
          onClick={() => change.mutate(memory.memory_id, { onError: toastProblem })}
        >
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      ) : null}
    </li>
  );
}

function Add({ conversation, onDone }: { readonly conversation: Conversation; readonly onDone: () => void }) {
  const change = useChange(addMemory, ["/v1/chat/memories"]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text")).trim();
    const { user, conversation_id } = conversation;
    change.mutate({ text, ...(user === null ? { conversation_id } : { user }) }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <Field name="text" label="What to remember" maxLength={1000} required autoFocus />
      {change.error ? <ErrorState error={change.error} /> : null}
      <div>
        <Button kind="primary" size="small" type="submit" busy={change.isPending}>
          Remember
        </Button>
      </div>
    </form>
  );
}
