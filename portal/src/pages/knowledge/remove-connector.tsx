import { useState } from "react";
import { type Connector, removeConnector, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface Parts {
  readonly base: string;
  readonly connector: Connector;
  readonly onClose: () => void;
}

/** Asks once more before a source is detached, and whether what it brought goes with it. */
export function RemoveConnector({ base, connector, onClose }: Parts) {
  const [documents, setDocuments] = useState(false);
  const change = useChange(removeConnector, touched.connectors);
  const remove = async (): Promise<void> => {
    await change.mutateAsync({ base, connector: connector.connector_id, documents });
    toast("Detached.");
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" busy={change.isPending} onClick={() => void remove().catch(() => undefined)}>
        Detach
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Detach connector" footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          Nothing more is brought from <span className="font-medium">{connector.name}</span>, and its credentials are
          forgotten.
        </p>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={documents}
            onChange={({ target }) => setDocuments(target.checked)}
            className="size-4 accent-accent"
          />
          Delete the {counted(connector.items, "document")} that it brought as well
        </label>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
