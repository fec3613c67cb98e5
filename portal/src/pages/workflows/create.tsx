import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../api/queries.ts";
import { createWorkflow } from "../../api/workflows.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Makes a workflow with one step, to be designed. */
export function CreateWorkflow({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const create = useChange(createWorkflow, ["/v1/workflows"]);
  const submit = async (): Promise<void> => {
    await create.mutateAsync(emptyWorkflow(name));
    onClose();
    await navigate({ to: "/workflows/$workflow", params: { workflow: name }, search: {} });
  };
  return (
    <FormDialog
      title="New workflow"
      word="Create draft"
      change={create}
      onSubmit={() => void submit().catch(() => undefined)}
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
