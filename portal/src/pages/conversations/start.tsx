import { useNavigate } from "@tanstack/react-router";
import { listAgents } from "../../api/agents.ts";
import { startConversation, touchedConversations } from "../../api/chat.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { Field, Select } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Starts a conversation with an agent that is live here. */
export function StartConversation({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange(startConversation, touchedConversations);
  const { data: agents } = useLive(listAgents({ limit: 100, status: ["deployed"] }));
  const submit = (form: FormData): void => {
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    const given = Object.fromEntries(
      ["user", "title", "language"].flatMap((name) => (text(name) === "" ? [] : [[name, text(name)]])),
    );
    change.mutate(
      { agent: text("agent"), ...given },
      {
        onSuccess: ({ conversation_id: conversation }) => {
          onClose();
          void navigate({ to: "/conversations/$conversation", params: { conversation } });
        },
      },
    );
  };
  return (
    <FormDialog title="New conversation" word="Start" change={change} onSubmit={submit} onClose={onClose}>
      <Select name="agent" label="Agent" required>
        {agents?.data.map(({ agent }) => (
          <option key={agent}>{agent}</option>
        ))}
      </Select>
      <Field name="user" label="User" maxLength={200} hint="Your own name of who writes. Empty: not named." />
      <Field name="title" label="Title" maxLength={200} hint="Empty: taken from the first message." />
      <Field name="language" label="Language" placeholder="en" maxLength={35} />
    </FormDialog>
  );
}
