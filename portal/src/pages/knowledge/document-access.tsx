import { useState } from "react";
import { type DocumentDetails as Document, readBase, setDocumentAccess, touched } from "../../api/knowledge.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReadersField } from "./readers.tsx";
import { readersText } from "./words.ts";

interface Parts {
  readonly base: string;
  readonly document: Document;
}

/** Who may read one document, within what its base allows. */
export function DocumentAccess({ base, document }: Parts) {
  const { data } = usePrefetched(readBase(base));
  const [readers, setReaders] = useState(document.readers === null ? null : [...document.readers]);
  const change = useChange(setDocumentAccess, touched.documents);
  const mayWrite = useMay("knowledge:write");
  const save = async (): Promise<void> => {
    await change.mutateAsync({ base, document: document.document_id, readers });
    toast("Saved. It holds from the next search on.");
  };
  return (
    <Card title="Access" className="max-w-2xl">
      <div className="grid gap-4">
        {data.readers === null ? null : (
          <Notice>
            The base is open to {readersText(data.readers)}. What is said here narrows that, and never widens it.
          </Notice>
        )}
        {mayWrite ? (
          <>
            <ReadersField
              readers={readers}
              onChange={setReaders}
              everyone="Everyone who may read the base"
              fault={change.error?.faults[0]?.detail ?? null}
            />
            {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
            <p>
              <Button kind="primary" busy={change.isPending} onClick={() => void save().catch(() => undefined)}>
                Save access
              </Button>
            </p>
          </>
        ) : (
          <p className="text-sm">{readersText(document.readers)}</p>
        )}
      </div>
    </Card>
  );
}
