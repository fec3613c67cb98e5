import { Link } from "@tanstack/react-router";
import type { FormEvent, ReactNode } from "react";
import { addDocument, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface Parts {
  readonly base: string;
  /** The question that it is to answer. */
  readonly question?: string | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}
type Fault = (pointer: string) => string | null;

/** A document that the service fetches itself. */
export function AddUrl(parts: Parts) {
  return (
    <AddDialog {...parts} title="Add from a URL">
      {(fault) => (
        <>
          <Field
            name="url"
            label="Address"
            type="url"
            placeholder="https://example.com/handbook.pdf"
            hint="A public https address of a page or a file. The service fetches it once; a connector keeps it in step."
            required
            fault={fault("/url")}
            data-autofocus
          />
          <Field name="title" label="Title" hint="Else that of the page or file." fault={fault("/title")} />
          <Field name="external_id" label="External id" hint="Else the address." fault={fault("/external_id")} />
        </>
      )}
    </AddDialog>
  );
}

/** A document that is written here. */
export function AddText(parts: Parts) {
  return (
    <AddDialog {...parts} title={parts.question === undefined ? "Write a document" : "Add a document"}>
      {(fault) => (
        <>
          {parts.question === undefined ? null : (
            <p className="text-sm text-muted">
              Write what answers “{parts.question}”, or{" "}
              <Link to="/knowledge/bases/$base" params={{ base: parts.base }} search={{}} className="underline">
                drop files under Documents
              </Link>
              .
            </p>
          )}
          <Field
            name="title"
            label="Title"
            defaultValue={parts.question}
            required
            fault={fault("/title")}
            {...(parts.question === undefined ? { "data-autofocus": true } : {})}
          />
          <TextArea
            name="text"
            label="Text"
            rows={10}
            {...(parts.question === undefined ? {} : { "data-autofocus": true })}
            hint="Plain text, cut into chunks at paragraphs. For headings and tables, add a Markdown file instead."
            required
            fault={fault("/text")}
          />
          <Field
            name="external_id"
            label="External id"
            hint="A document of the same id is replaced."
            fault={fault("/external_id")}
          />
        </>
      )}
    </AddDialog>
  );
}

function AddDialog({
  base,
  open,
  onClose,
  title,
  children,
}: Parts & { title: string; children: (fault: Fault) => ReactNode }) {
  const change = useChange(addDocument, touched.documents);
  const close = (): void => {
    change.reset();
    onClose();
  };
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    const { outcome } = await change.mutateAsync({ base, ...Object.fromEntries(given) });
    toast(outcome === "unchanged" ? "A document that says the same is there already." : "Added. It is being indexed.");
    close();
  };
  const fault: Fault = (pointer) =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" type="submit" form="add-document" busy={change.isPending}>
        Add
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title={title} footer={footer}>
      <form id="add-document" onSubmit={(event) => void add(event).catch(() => undefined)} className="grid gap-4">
        {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
        {children(fault)}
      </form>
    </Dialog>
  );
}
