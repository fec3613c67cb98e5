import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Base, removeBase, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** Asks for the name of a base before it is deleted. One that deployed agents use is deleted only by force. */
export function RemoveBase({ base, onClose }: { readonly base: Base; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const change = useChange(removeBase, touched.bases);
  const refused = change.error?.code === "knowledge_base_in_use";
  const remove = async (): Promise<void> => {
    const { documents } = await change.mutateAsync({ base: base.base_id, force: refused });
    toast(`${base.name} is deleted with ${counted(documents, "document")}.`);
    await navigate({ to: "/knowledge" });
  };
  const footer = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button
        kind="danger"
        busy={change.isPending}
        disabled={typed !== base.name}
        onClick={() => void remove().catch(() => undefined)}
      >
        {refused ? "Delete nevertheless" : "Delete"}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Delete knowledge base" footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          {counted(base.documents, "document")} and {counted(base.chunks, "chunk")} go with it. Nothing of it is found
          from that moment, and it cannot be brought back.
        </p>
        <Field
          label={`Type ${base.name} to delete it`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          data-autofocus
        />
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
