import { type ListingDetail, reportListing } from "../../api/marketplace.ts";
import { useChange } from "../../api/queries.ts";
import { Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";

type Kind = Parameters<typeof reportListing>[0]["kind"];

const abuses: readonly (readonly [Kind, string])[] = [
  ["malicious", "It does harm, or tries to"],
  ["misleading", "It is not what it says"],
  ["personal_data", "It holds data of people"],
  ["copyright", "It holds what belongs to somebody else"],
  ["broken", "It does not work"],
  ["other", "Something else"],
];

/** Tells those who review listings what is wrong with one. */
export function ReportListing({ listing, onClose }: { readonly listing: ListingDetail; readonly onClose: () => void }) {
  const change = useChange(reportListing, ["/v1/marketplace/listings/{listing}"]);
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer === pointer)?.detail ?? null;
  const submit = (form: FormData): void =>
    change.mutate(
      {
        listing: listing.listing_id,
        kind: String(form.get("kind")) as Kind,
        detail: String(form.get("detail")),
        version: listing.version,
      },
      {
        onSuccess: () => {
          onClose();
          toast("Reported to those who review listings.");
        },
      },
    );
  return (
    <FormDialog title="Report abuse" word="Report" atFields change={change} onSubmit={submit} onClose={onClose}>
      <p>
        Whoever reviews listings reads it and can stop everything that is installed of it, in every environment, within
        a minute.
      </p>
      <Select name="kind" label="What is wrong" fault={fault("/kind")}>
        {abuses.map(([kind, word]) => (
          <option key={kind} value={kind}>
            {word}
          </option>
        ))}
      </Select>
      <TextArea
        name="detail"
        label="What you saw, and where"
        rows={5}
        maxLength={2000}
        required
        fault={fault("/detail")}
      />
    </FormDialog>
  );
}
