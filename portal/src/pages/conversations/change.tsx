import { useState } from "react";
import { changeConversation, touchedConversations } from "../../api/chat.ts";
import type { Conversation } from "../../api/chat-types.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";

/** Changes title, labels, language and context. */
export function ChangeButton({ conversation }: { readonly conversation: Conversation }) {
  const [open, setOpen] = useState(false);
  if (!useMay("chat:write") || conversation.state === "closed") return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Change
      </Button>
      {open ? <Change conversation={conversation} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Change({ conversation, onClose }: { readonly conversation: Conversation; readonly onClose: () => void }) {
  const change = useChange(changeConversation, touchedConversations);
  const [unread, setUnread] = useState<string | null>(null);
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name)).trim();
    const context = contextOf(text("context"));
    setUnread(context === null ? "This is no JSON object: check quotes, commas and braces." : null);
    if (context === null) return;
    const labels = [...new Set(text("labels").split(/\s*,\s*/))].filter((label) => label !== "");
    change.mutate(
      {
        conversation: conversation.conversation_id,
        labels,
        context,
        title: text("title") || null,
        language: text("language") || null,
      },
      {
        onSuccess: () => {
          toast("The conversation is changed.");
          onClose();
        },
      },
    );
  };
  const fault = (member: string): string | null =>
    change.error?.faults.find(({ pointer }) => pointer?.startsWith(`/${member}`))?.detail ?? null;
  const { title, labels, language, context } = conversation;
  return (
    <FormDialog title="Change conversation" word="Save" change={change} onSubmit={submit} onClose={onClose} atFields>
      <Field name="title" label="Title" maxLength={200} defaultValue={title ?? ""} fault={fault("title")} />
      <Field
        name="labels"
        label="Labels"
        hint="With commas."
        defaultValue={labels.join(", ")}
        fault={fault("labels")}
      />
      <Field
        name="language"
        label="Language"
        placeholder="en"
        maxLength={35}
        defaultValue={language ?? ""}
        fault={fault("language")}
      />
      <TextArea
        name="context"
        label="Context"
        hint="What the agent receives besides the messages, as JSON. Data, never instructions."
        mono
        rows={6}
        spellCheck={false}
        defaultValue={JSON.stringify(context, null, 2)}
        fault={unread ?? fault("context")}
      />
    </FormDialog>
  );
}

function contextOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
