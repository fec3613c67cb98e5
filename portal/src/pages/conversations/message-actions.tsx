import { useNavigate } from "@tanstack/react-router";
import { GitFork, type LucideIcon, RotateCcw, ThumbsDown, ThumbsUp, Trash2 } from "lucide-react";
import { useState } from "react";
import { forkConversation, rateMessage, regenerate, retractMessage, touchedConversations } from "../../api/chat.ts";
import type { Message } from "../../api/chat-types.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { sessionQuery } from "../../api/session.ts";
import { IconButton } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

type Asked = "rate" | "retract";

interface Props {
  readonly message: Message;
  /** It is the latest reply, and nobody writes: it can be written again. */
  readonly latest: boolean;
}

/** What can be done with a message: rate it, have it written again, go on from it elsewhere, take it back. */
export function MessageActions({ message, latest }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const again = useChange(regenerate);
  const rate = useChange(rateMessage);
  const mayWrite = useMay("chat:write");
  const mayManage = useMay("chat:manage");
  const { data: session } = usePrefetched(sessionQuery);
  const over = message.status === "complete" || message.status === "stopped" || message.status === "failed";
  if (!over || !mayWrite) return null;
  const which = { conversation: message.conversation_id, message: message.message_id };
  const judged = message.role === "agent" && message.task_id !== null && message.status === "complete";
  const accept = (): void =>
    rate.mutate(
      { ...which, accepted: true },
      { onSuccess: () => toast("Feedback recorded. It counts toward the trust score."), onError: toastProblem },
    );
  return (
    <>
      {judged ? <Act label="Good answer" icon={ThumbsUp} busy={rate.isPending} onClick={accept} /> : null}
      {judged ? <Act label="Bad answer…" icon={ThumbsDown} onClick={() => setAsked("rate")} /> : null}
      {latest && message.role === "agent" && message.replaced_by === null ? (
        <Act
          label="Answer again"
          icon={RotateCcw}
          busy={again.isPending}
          onClick={() => again.mutate(which, { onError: toastProblem })}
        />
      ) : null}
      <Fork message={message} />
      {mayManage || message.author.id === session?.member ? (
        <Act label="Retract…" icon={Trash2} onClick={() => setAsked("retract")} />
      ) : null}
      {asked === "rate" ? <Rate which={which} onClose={() => setAsked(null)} /> : null}
      {asked === "retract" ? <Retract which={which} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

interface ActProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly busy?: boolean;
  readonly onClick: () => void;
}

function Act({ label, icon: Icon, busy = false, onClick }: ActProps) {
  return (
    <IconButton label={label} disabled={busy} onClick={onClick} className="!size-7 pointer-coarse:!size-11">
      <Icon className="size-3.5" aria-hidden="true" />
    </IconButton>
  );
}

function Fork({ message }: { readonly message: Message }) {
  const navigate = useNavigate();
  const fork = useChange(forkConversation, touchedConversations);
  return (
    <Act
      label="Go on from here in a new conversation"
      icon={GitFork}
      busy={fork.isPending}
      onClick={() =>
        fork.mutate(
          { conversation: message.conversation_id, message: message.message_id },
          {
            onSuccess: ({ conversation_id: conversation }) => {
              toast("A new conversation begins with the messages up to this one.");
              void navigate({ to: "/conversations/$conversation", params: { conversation } });
            },
            onError: toastProblem,
          },
        )
      }
    />
  );
}

interface AskedProps {
  readonly which: { readonly conversation: string; readonly message: string };
  readonly onClose: () => void;
}

function Rate({ which, onClose }: AskedProps) {
  const change = useChange(rateMessage);
  const submit = (form: FormData): void => {
    const comment = String(form.get("comment")).trim();
    change.mutate(
      { ...which, accepted: false, ...(comment === "" ? {} : { comment }) },
      {
        onSuccess: () => {
          toast("Feedback recorded. It counts toward the trust score.");
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog title="Bad answer" word="Send feedback" change={change} onSubmit={submit} onClose={onClose}>
      <p>It lowers the trust score of what this agent says.</p>
      <TextArea name="comment" label="What is wrong with it" rows={3} maxLength={2000} />
    </FormDialog>
  );
}

function Retract({ which, onClose }: AskedProps) {
  const change = useChange(retractMessage);
  const submit = (): void => change.mutate(which, { onSuccess: onClose });
  return (
    <FormDialog
      title="Retract message"
      word="Retract"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        What it says is removed for everybody, with its files and what was remembered from it, and cannot be brought
        back. Its place in the conversation stays.
      </p>
    </FormDialog>
  );
}
