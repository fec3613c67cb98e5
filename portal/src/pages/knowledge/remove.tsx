import { type Deleted as DeletedProof, type Document, removeDocument, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/card.tsx";
import { CopyText, DigestText } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";

interface Parts {
  readonly base: string;
  readonly document: Document;
  /** Called with whether it was deleted. */
  readonly onClose: (gone: boolean) => void;
}

/** Asks once more before a document is deleted; then shows the proof that it is gone. */
export function RemoveDocument({ base, document, onClose }: Parts) {
  const change = useChange(removeDocument, touched.documents);
  const remove = (): void => change.mutate({ base, document: document.document_id });
  if (change.data) return <Deleted proof={change.data} title={document.title} onClose={() => onClose(true)} />;
  const footer = (
    <>
      <Button onClick={() => onClose(false)}>Keep it</Button>
      <Button kind="danger" busy={change.isPending} onClick={remove}>
        Delete
      </Button>
    </>
  );
  return (
    <Dialog open onClose={() => onClose(false)} title="Delete document" footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          <span className="font-medium break-words">{document.title}</span> goes with its{" "}
          {counted(document.chunks, "chunk")} and all its versions. Searches find nothing of it from that moment, and
          its citations say that it was deleted. It cannot be brought back.
        </p>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}

function Deleted({ proof, title, onClose }: { proof: DeletedProof; title: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Deleted"
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="grid gap-4 text-sm">
        <Notice tone="good" live>
          {title} is gone from store, index and search. The record below proves it.
        </Notice>
        <Facts
          facts={[
            ["Document", <CopyText key="id" text={proof.document_id} />],
            ["Chunks removed", proof.chunks_removed],
            proof.versions_removed > 0 && ["Former versions removed", proof.versions_removed],
            proof.rows_removed > 0 && ["Records of its rows removed", proof.rows_removed],
            ["Deleted", exactly(proof.deleted_at)],
            proof.digest !== null && ["SHA-256 of it", <DigestText key="digest" digest={proof.digest} />],
            ["Recorded as", <CopyText key="record" text={proof.audit_ref} label="audit reference" />],
          ]}
        />
      </div>
    </Dialog>
  );
}
