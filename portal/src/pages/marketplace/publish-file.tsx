import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { FileUp, X } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { createListing, createListingVersion, type ListingDetail, listingPaths } from "../../api/marketplace.ts";
import { useChange } from "../../api/queries.ts";
import { sizeText } from "../../lib/size.ts";
import { visible } from "../../lib/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { type BundleText, readBundle } from "./bundle-text.ts";

/** Takes in a file that another installation made. `listing`: as a new version of it; null: as a new listing. */
export function ImportForm({ listing }: { readonly listing: ListingDetail | null }) {
  const navigate = useNavigate();
  const [file, setFile] = useState<BundleText | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const change = useChange(
    (body: Parameters<typeof createListing>[0]) =>
      listing === null
        ? createListing(body)
        : createListingVersion({ listing: listing.listing_id, ...withoutVisibility(body) }),
    listingPaths,
  );
  const take = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    change.reset();
    const read = await readBundle(given);
    setFile(typeof read === "string" ? null : read);
    setFault(typeof read === "string" ? read : null);
  };
  const submit = (form: FormData): void => {
    if (file === null) return;
    const note = String(form.get("note")).trim();
    change.mutate(
      {
        file: file.text,
        ...(listing === null ? { visibility: form.get("visibility") === "public" ? "public" : "private" } : {}),
        ...(note === "" ? {} : { note }),
      },
      {
        onSuccess: ({ listing_id }) => {
          toast("Verified and scanned. It waits for review.");
          void navigate({ to: "/marketplace/listings/$listing", params: { listing: listing_id }, search: {} });
        },
      },
    );
  };
  return (
    <Card>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <DropFile onFile={(given) => void take(given)} />
        {fault === null ? null : (
          <Notice tone="bad" live>
            {fault}
          </Notice>
        )}
        {file === null ? null : <Chosen file={file} onRemove={() => setFile(null)} />}
        <div className="grid gap-4 sm:grid-cols-2">
          {listing === null ? (
            <Select name="visibility" label="Its file here" hint="It can be changed later.">
              <option value="private">stays in this organization</option>
              <option value="public">may be taken to other installations</option>
            </Select>
          ) : null}
          <TextArea name="note" label="Note for whoever reviews it" rows={2} maxLength={2000} />
        </div>
        {change.error ? <ErrorState error={change.error} /> : null}
        <div>
          <Button kind="primary" type="submit" disabled={file === null} busy={change.isPending}>
            Verify and submit
          </Button>
        </div>
      </form>
    </Card>
  );
}

const withoutVisibility = ({ visibility: _, ...body }: Parameters<typeof createListing>[0]) => body;

function Chosen({ file, onRemove }: { readonly file: BundleText; readonly onRemove: () => void }) {
  return (
    <div role="status" className="flex items-start gap-3 rounded-md border border-line bg-sunken px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-medium">{visible(file.subject ?? file.name)}</span>
        <span className="block text-muted">
          {visible(file.name)}, {sizeText(file.size)}
          {file.publisher === null ? "" : `, says that it comes from ${visible(file.publisher)}`}. Nothing is verified
          yet.
        </span>
      </p>
      <IconButton label="Take another file" onClick={onRemove}>
        <X className="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function DropFile({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  const drag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      aria-label="Bundle file"
      onDragOver={drag}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
      className={clsx(
        "flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-dashed p-4 sm:p-5",
        over ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
    >
      <FileUp className="hidden size-6 shrink-0 text-muted sm:block" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-56 text-sm">
        <span className="font-medium">Drop an .aosbundle file here</span>
        <span className="block text-muted">Signed by whoever made it, up to 8 MB. Nothing of it runs.</span>
      </p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        type="file"
        accept=".aosbundle,.json,application/vnd.aos.bundle+json"
        aria-label="Bundle file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </section>
  );
}
