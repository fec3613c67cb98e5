import { Paperclip, Square, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { sendMessage, stopReply } from "../../api/chat.ts";
import type { Conversation, Message } from "../../api/chat-types.ts";
import { useChange } from "../../api/queries.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { type Attachment, useAttachments } from "./attachments.ts";
import { Suggestions } from "./suggestions.tsx";
import { SavedReplies } from "./take-over.tsx";
import { questionOf } from "./words.ts";

interface ComposerProps {
  readonly conversation: Conversation;
  /** Whom it is written as: the user, or the person who has taken the conversation over. */
  readonly as: "user" | "person";
  readonly latest?: Message | undefined;
}

/** Writes the next message. Enter sends, with Shift it begins a line. */
export function Composer({ conversation, as, latest }: ComposerProps) {
  const { conversation_id: id, busy } = conversation;
  const [text, setText] = useState("");
  const [interrupts, setInterrupts] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useAttachments(id);
  const change = useChange(sendMessage);
  const ready = text.trim() !== "" && !files.sending && !change.isPending;
  const send = (said: string): void =>
    change.mutate(
      {
        conversation: id,
        text: said,
        ...(as === "person" ? { as } : {}),
        ...(files.entries.length > 0 ? { files: files.entries.flatMap(({ file }) => file ?? []) } : {}),
        ...(busy && interrupts ? { when_busy: "interrupt" } : {}),
      },
      {
        onSuccess: () => {
          setText("");
          files.clear();
          field.current?.focus();
        },
      },
    );
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (ready) send(text);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const insert = (draft: string): void => {
    setText(draft);
    field.current?.focus();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line p-3 sm:px-4">
      {as === "user" && latest ? <Options message={latest} busy={change.isPending} onChoose={send} /> : null}
      {as === "person" ? <SavedReplies conversation={id} onInsert={insert} /> : null}
      {as === "person" ? <Suggestions conversation={id} onInsert={insert} /> : null}
      {change.error ? <ErrorState error={change.error} /> : null}
      <Attachments entries={files.entries} onRemove={files.remove} />
      <form onSubmit={submit} className="flex flex-wrap items-end justify-end gap-2">
        <Attach onAdd={files.add} />
        <textarea
          ref={field}
          aria-label={as === "person" ? "Your answer" : "Message"}
          value={text}
          rows={1}
          maxLength={32_000}
          placeholder={as === "person" ? "Answer as yourself…" : `Write to ${conversation.agent}…`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={pressed}
          className="field-sizing-content max-h-40 min-h-9 min-w-0 flex-1 basis-40 resize-none rounded-md border border-line-strong bg-raised px-3 py-1.5 text-sm text-ink placeholder:text-muted pointer-coarse:min-h-11 pointer-coarse:py-2.5 pointer-coarse:text-base"
        />
        {busy ? <Stop conversation={id} /> : null}
        <Button kind="primary" type="submit" busy={change.isPending} disabled={!ready}>
          Send
        </Button>
      </form>
      {busy && as === "user" && text.trim() !== "" ? (
        <label className="flex w-fit items-center gap-2 text-xs text-muted pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={interrupts}
            onChange={(event) => setInterrupts(event.target.checked)}
            className="size-4 accent-accent"
          />
          Stop the present answer; else the message waits for its turn
        </label>
      ) : null}
    </div>
  );
}

/** Stops the answer that is being written, and its tools. */
function Stop({ conversation }: { readonly conversation: string }) {
  const change = useChange(stopReply);
  return (
    <Button
      kind="refuse"
      busy={change.isPending}
      icon={<Square className="size-3.5" aria-hidden="true" />}
      onClick={() => change.mutate(conversation, { onError: toastProblem })}
    >
      <span className="max-sm:sr-only">Stop</span>
    </Button>
  );
}

interface OptionsProps {
  readonly message: Message;
  readonly busy: boolean;
  readonly onChoose: (answer: string) => void;
}

/** The answers that the agent's question takes. */
function Options({ message, busy, onChoose }: OptionsProps) {
  const options = message.status === "waiting" ? questionOf(message.parts)?.options : undefined;
  if (options === undefined) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {options.map((option) => (
        <Button key={option} size="small" busy={busy} onClick={() => onChoose(option)}>
          {option}
        </Button>
      ))}
    </div>
  );
}

function Attach({ onAdd }: { readonly onAdd: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" onClick={() => input.current?.click()}>
        <Paperclip className="size-4" aria-hidden="true" />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Files to attach"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          onAdd([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}

function Attachments({
  entries,
  onRemove,
}: {
  readonly entries: readonly Attachment[];
  readonly onRemove: (key: number) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-2">
      {entries.map(({ key, name, sent, file }) => (
        <li key={key} className="flex min-w-0 items-center gap-1 rounded-md border border-line bg-sunken pl-3 text-sm">
          <span className="min-w-0 break-all">{name}</span>
          {file === null ? <span className="text-xs text-muted">{Math.round(sent * 100)} %</span> : null}
          <IconButton label={`Remove ${name}`} onClick={() => onRemove(key)}>
            <X className="size-3.5" aria-hidden="true" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
