import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { readGate } from "../../api/agents.ts";
import {
  createListing,
  createListingVersion,
  type ListingDetail,
  type ListingSource,
  listingPaths,
  type NewListing,
} from "../../api/marketplace.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { bodyOf, type FaultAt } from "./publish-body.ts";
import { SourceFields } from "./publish-source.tsx";
import { nextVersion } from "./words.ts";

/** Packs own work. `listing`: as a new version of it; null: as a new listing. */
export function WorkForm({ listing }: { readonly listing: ListingDetail | null }) {
  const navigate = useNavigate();
  const [source, setSource] = useState<ListingSource | null>(null);
  const datasets = useDatasets(source);
  const change = useChange(
    (body: NewListing) =>
      listing === null ? createListing(body) : createListingVersion({ listing: listing.listing_id, ...body }),
    listingPaths,
  );
  const fault: FaultAt = (...pointers) =>
    change.error?.faults.find(({ pointer }) => pointers.some((start) => pointer?.startsWith(start)))?.detail ?? null;
  const submit = (form: FormData): void => {
    if (source === null) return;
    change.mutate(bodyOf(form, source, listing), {
      onSuccess: ({ listing_id }) => {
        toast("Packed, scanned and signed. It waits for review.");
        void navigate({ to: "/marketplace/listings/$listing", params: { listing: listing_id }, search: {} });
      },
    });
  };
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Part title="What is packed">
        <SourceFields kind={listing?.kind ?? null} onSource={setSource} fault={fault} />
      </Part>
      <Part title="What it is">
        <Descriptions listing={listing} name={nameOf(source)} fault={fault} />
      </Part>
      <Part title="What installers should know">
        <Explanations listing={listing} datasets={datasets} fault={fault} />
      </Part>
      {change.error ? <ErrorState error={change.error} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" type="submit" disabled={source === null} busy={change.isPending}>
          Pack and submit
        </Button>
        {source === null ? <p className="text-sm text-muted">Choose what is packed, first.</p> : null}
      </div>
    </form>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="grid gap-4">{children}</div>
    </Card>
  );
}

/** What the listing is likely to be called. */
function nameOf(source: ListingSource | null): string {
  if (source === null) return "";
  if (source.kind === "agent" || source.kind === "tool_set") return source.agent;
  if (source.kind === "workflow") return source.workflow;
  return "";
}

/** Datasets of which somebody should say what data they are: those that were chosen, else those of the agent's gate. */
function useDatasets(source: ListingSource | null): readonly string[] {
  const chosen = source !== null && "datasets" in source ? (source.datasets ?? []) : [];
  const agent = source?.kind === "agent" && chosen.length === 0 ? source.agent : "";
  const { data } = useLive(readGate(agent), { when: agent !== "" });
  return agent === "" ? chosen : (data?.rules?.datasets.map(({ name }) => name) ?? []);
}

interface FieldsProps {
  readonly listing: ListingDetail | null;
  readonly fault: FaultAt;
}

function Descriptions({ listing, name, fault }: FieldsProps & { readonly name: string }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {listing === null ? (
          <Field
            key={name}
            name="name"
            label="Name"
            required
            defaultValue={name.replaceAll("_", "-")}
            pattern="[a-z][a-z0-9\-]{0,39}"
            title="Lowercase letters, digits and dashes, beginning with a letter"
            hint="The same in every version: lowercase letters, digits and dashes."
            fault={fault("/name")}
          />
        ) : null}
        <Field
          name="version"
          label="Version"
          required
          defaultValue={listing === null ? "1.0.0" : nextVersion(listing.version)}
          pattern="[0-9]+\.[0-9]+\.[0-9]+"
          title="Three numbers, such as 1.2.0"
          fault={fault("/version")}
        />
        <Field
          name="title"
          label="Title"
          required
          maxLength={120}
          defaultValue={listing?.title ?? ""}
          fault={fault("/title")}
        />
        <Field
          name="business_function"
          label="Business function"
          maxLength={100}
          placeholder="Finance"
          defaultValue={listing?.business_function ?? ""}
          fault={fault("/business_function")}
        />
      </div>
      <TextArea
        name="summary"
        label="Summary"
        rows={2}
        required
        maxLength={300}
        hint="What it is for, in a sentence or two."
        defaultValue={listing?.summary ?? ""}
        fault={fault("/summary")}
      />
      <Offer listing={listing} fault={fault} />
    </>
  );
}

/** Who may have its file, or what a new version brings. */
function Offer({ listing, fault }: FieldsProps) {
  if (listing === null)
    return (
      <Select name="visibility" label="Its file" className="sm:max-w-96" fault={fault("/visibility")}>
        <option value="private">stays in this organization</option>
        <option value="public">may be taken to other installations</option>
      </Select>
    );
  return (
    <TextArea
      name="changes"
      label="What is new"
      rows={2}
      maxLength={2000}
      hint="For whoever updates."
      fault={fault("/changes")}
    />
  );
}

function Explanations({ listing, datasets, fault }: FieldsProps & { readonly datasets: readonly string[] }) {
  return (
    <>
      <TextArea
        name="limits"
        label="What it cannot do"
        rows={4}
        required
        hint="One sentence a line, at least one."
        defaultValue={listing?.limits.join("\n") ?? ""}
        fault={fault("/limits")}
      />
      {datasets.map((name) => (
        <TextArea
          key={name}
          name={`data:${name}`}
          label={`What data ${name} is`}
          rows={2}
          maxLength={2000}
          hint="Who wrote it, from where, how chosen. The scorecard says it beside each figure."
          defaultValue={listing?.scorecard?.datasets.find((one) => one.name === name)?.data ?? ""}
          fault={fault(`/data/${name}`)}
        />
      ))}
      <TextArea
        name="requires"
        label="What else an installer needs or has to change"
        rows={2}
        hint="One sentence a line. Connections are found by themselves."
        defaultValue={listing?.requires.notes.join("\n") ?? ""}
        fault={fault("/requires")}
      />
      <TextArea
        name="readme"
        label="Its page"
        rows={8}
        mono
        maxLength={100_000}
        hint="Markdown. Pictures are not shown."
        defaultValue={listing?.readme ?? ""}
        fault={fault("/readme")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="license"
          label="License"
          maxLength={100}
          placeholder="Apache-2.0"
          defaultValue={listing?.license ?? ""}
          fault={fault("/license")}
        />
        <TextArea name="note" label="Note for whoever reviews it" rows={2} maxLength={2000} fault={fault("/note")} />
      </div>
    </>
  );
}
