import { type FormEvent, useState } from "react";
import { type Chunk, changeChunk, type Document, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

interface Parts {
  readonly base: string;
  readonly document: Document;
  readonly chunk: Chunk;
}

/** Corrects what a chunk says, or takes it out of searches. */
export function ChunkEditor({ base, document, chunk }: Parts) {
  const change = useChange(changeChunk, touched.chunks);
  const [open, setOpen] = useState(false);
  const place = { base, document: document.document_id, chunk: chunk.number };
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    await change.mutateAsync({ ...place, text: String(new FormData(event.currentTarget).get("text")) });
    setOpen(false);
    toast(`Chunk ${chunk.number} is corrected; searches find the new words.`);
  };
  const turn = (): void =>
    void change
      .mutateAsync({ ...place, disabled: !chunk.disabled })
      .then(() => toast(chunk.disabled ? "Searches find it again." : "Searches no longer find it."), toastProblem);
  if (!open)
    return (
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={() => setOpen(true)}>
          Correct
        </Button>
        <Button size="small" busy={change.isPending} onClick={turn}>
          {chunk.disabled ? "Enable" : "Disable"}
        </Button>
      </p>
    );
  return (
    <form onSubmit={(event) => void save(event).catch(() => undefined)} className="mt-3 grid gap-3">
      <TextArea
        name="text"
        label="What it should say"
        defaultValue={chunk.text}
        rows={8}
        required
        autoFocus
        hint="Citations of the former words still lead to them. A reindex keeps the correction while the original text of the chunk stays the same."
        fault={change.error?.faults.find(({ pointer }) => pointer?.startsWith("/text"))?.detail ?? null}
      />
      {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
      <p className="flex flex-wrap gap-2">
        <Button type="submit" size="small" kind="primary" busy={change.isPending}>
          Save
        </Button>
        <Button size="small" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </p>
    </form>
  );
}
