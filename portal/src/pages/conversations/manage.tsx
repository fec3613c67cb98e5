import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  closeConversation,
  compactConversation,
  type ExportFormat,
  exportConversation,
  touchedConversations,
} from "../../api/chat.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

type Asked = "export" | "close";

/** Compact, export, close and erase. */
export function Manage({ conversation }: { readonly conversation: Conversation }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const compact = useChange(compactConversation);
  const mayAnswer = useMay("chat:answer");
  const mayManage = useMay("chat:manage");
  if (!mayAnswer && !mayManage) return null;
  const { conversation_id: id, state } = conversation;
  return (
    <Card title="Manage">
      <div className="flex flex-wrap gap-2">
        {mayAnswer && state === "open" ? (
          <Button
            size="small"
            busy={compact.isPending}
            title="Summarizes what is old for the agent. The messages are kept."
            onClick={() =>
              compact.mutate(id, {
                onSuccess: () => toast("Older messages are summarized for the agent. They are kept."),
                onError: toastProblem,
              })
            }
          >
            Compact
          </Button>
        ) : null}
        {mayManage ? (
          <>
            <Button size="small" onClick={() => setAsked("export")}>
              Export…
            </Button>
            <Button size="small" kind="refuse" onClick={() => setAsked("close")}>
              {state === "open" ? "Close…" : "Erase…"}
            </Button>
          </>
        ) : null}
      </div>
      {asked === "export" ? <Export conversation={id} onClose={() => setAsked(null)} /> : null}
      {asked === "close" ? <Close conversation={conversation} onClose={() => setAsked(null)} /> : null}
    </Card>
  );
}

function Export({ conversation, onClose }: { readonly conversation: string; readonly onClose: () => void }) {
  const change = useChange(exportConversation);
  const submit = (form: FormData): void =>
    change.mutate(
      { conversation, format: String(form.get("format")) as ExportFormat },
      {
        onSuccess: ({ name, blob }) => {
          save(name, blob);
          onClose();
        },
      },
    );
  return (
    <FormDialog title="Export the transcript" word="Export" change={change} onSubmit={submit} onClose={onClose}>
      <p>All messages with their authors, what is generated, trust scores and audit references.</p>
      <Select name="format" label="Format">
        <option value="markdown">Markdown</option>
        <option value="text">Plain text</option>
        <option value="json">JSON</option>
      </Select>
    </FormDialog>
  );
}

/** Has the browser save a file. */
function save(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Close({ conversation, onClose }: { readonly conversation: Conversation; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange(closeConversation, touchedConversations);
  const closed = conversation.state === "closed";
  const submit = (form: FormData): void => {
    const erase = closed ? "now" : (String(form.get("erase")) as "now" | "retention");
    change.mutate(
      { conversation: conversation.conversation_id, erase },
      {
        onSuccess: () => {
          toast(erase === "now" ? "The conversation is erased." : "The conversation is closed.");
          onClose();
          if (erase === "now") void navigate({ to: "/conversations", search: {} });
        },
      },
    );
  };
  return (
    <FormDialog
      title={closed ? "Erase conversation" : "Close conversation"}
      word={closed ? "Erase" : "Close"}
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {closed ? "" : "Nobody can write in it any more. "}Erasing removes its messages, files and what its tasks read
        and wrote. It cannot be undone; the audit log keeps that it happened.
      </p>
      {closed ? null : (
        <Select name="erase" label="Erase">
          <option value="retention">when its retention is over</option>
          <option value="now">now</option>
        </Select>
      )}
    </FormDialog>
  );
}
