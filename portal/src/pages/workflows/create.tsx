import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../api/queries.ts";
import { createWorkflow, generateWorkflow } from "../../api/workflows.ts";
import { Field, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";

/** Makes a workflow: from a few words, from a file, or an empty one. */
export function CreateWorkflow({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const create = useChange(createWorkflow, ["/v1/workflows"]);
  const generate = useChange(generateWorkflow);
  const change = { isPending: create.isPending || generate.isPending, error: create.error ?? generate.error };
  const submit = async (form: FormData): Promise<void> => {
    create.reset();
    generate.reset();
    const words = String(form.get("words")).trim();
    const made = words === "" ? null : await generate.mutateAsync({ description: words, name });
    await create.mutateAsync(made?.source ?? emptyWorkflow(name));
    if (made !== null) toast(made.note);
    onClose();
    await navigate({ to: "/workflows/$workflow", params: { workflow: name }, search: {} });
  };
  return (
    <FormDialog
      title="New workflow"
      word="Create draft"
      change={change}
      onSubmit={(form) => void submit(form).catch(() => undefined)}
      onClose={onClose}
    >
      <Field
        label="Name"
        placeholder="refund"
        hint="Lowercase letters, digits, _ and -. It cannot be changed later."
        pattern="[a-z][a-z0-9_\-]{0,63}"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
        data-autofocus
      />
      <TextArea
        name="words"
        label="What it should do"
        rows={4}
        minLength={3}
        maxLength={4000}
        placeholder="When an order's refund is requested, let support judge it; above 100 dollars a person approves; then pay it back."
        hint="In plain words: a draft is made of them for you to check. Empty: a draft with one step."
      />
    </FormDialog>
  );
}

const emptyWorkflow = (name: string): string => `workflow: ${name}
description: ""
input:
  type: object
  properties: {}
steps:
  - id: first
    set: { done: true }
`;
