import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type Base, changeBase, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { ReadersField } from "./readers.tsx";
import { RemoveBase } from "./remove-base.tsx";
import { languages, settingsBody } from "./settings-parts.ts";

/** Access, language, chunks, reviews and vectors of a base; and its end. */
export function Settings({ base }: { readonly base: Base }) {
  const mayWrite = useMay("knowledge:write");
  const [removing, setRemoving] = useState(false);
  if (!mayWrite)
    return (
      <Notice>
        Your role may read this base. To change its settings you need the permission{" "}
        <code className="id">knowledge:write</code>.
      </Notice>
    );
  return (
    <div className="grid max-w-3xl gap-4">
      <SettingsForm key={base.revision} base={base} />
      <Card title="Delete the base">
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <p>Its documents, chunks and connectors go with it. Refused while a deployed agent uses it.</p>
          <Button kind="refuse" onClick={() => setRemoving(true)}>
            Delete base
          </Button>
        </div>
      </Card>
      {removing ? <RemoveBase base={base} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

function SettingsForm({ base }: { readonly base: Base }) {
  const navigate = useNavigate();
  const change = useChange(changeBase, touched.bases);
  const [readers, setReaders] = useState<string[] | null>(base.readers === null ? null : [...base.readers]);
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const body = settingsBody(base, new FormData(event.currentTarget), readers);
    if (Object.keys(body).length === 0) return void toast("Nothing was changed.");
    const { name, reindex } = await change.mutateAsync({ base: base.base_id, ...body });
    toast(
      reindex === "queued" ? "Saved. A new index is being built; searches use the present one until then." : "Saved.",
    );
    if (name !== base.name)
      await navigate({ to: "/knowledge/bases/$base", params: { base: name }, search: { tab: "settings" } });
  };
  return (
    <Card title="Settings">
      <form onSubmit={(event) => void save(event).catch(() => undefined)} className="grid gap-5">
        {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
        <SettingsFields base={base} fault={fault} />
        <ReadersField readers={readers} onChange={setReaders} fault={fault("/readers")} />
        <p>
          <Button type="submit" kind="primary" busy={change.isPending}>
            Save settings
          </Button>
        </p>
      </form>
    </Card>
  );
}

interface FieldsProps {
  readonly base: Base;
  readonly fault: (pointer: string) => string | null;
}

function SettingsFields({ base, fault }: FieldsProps) {
  const [cutting, setCutting] = useState({ language: base.language, length: String(base.settings.chunk_length) });
  const reindexes = cutting.language !== base.language || cutting.length !== String(base.settings.chunk_length);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        name="name"
        label="Name"
        defaultValue={base.name}
        required
        hint="Agents name the base by it."
        fault={fault("/name")}
      />
      <Field name="description" label="What is in it" defaultValue={base.description} fault={fault("/description")} />
      <Select
        name="language"
        label="Language"
        value={cutting.language}
        onChange={({ target }) => setCutting({ ...cutting, language: target.value as Base["language"] })}
        fault={fault("/language")}
      >
        {languages.map((language) => (
          <option key={language}>{language}</option>
        ))}
      </Select>
      <Field
        name="chunk_length"
        label="Longest chunk, in characters"
        type="number"
        min={200}
        max={8000}
        value={cutting.length}
        onChange={({ target }) => setCutting({ ...cutting, length: target.value })}
        fault={fault("/settings")}
      />
      {reindexes ? (
        <div className="sm:col-span-2">
          <Notice tone="warn" live>
            A reindex follows: all documents are cut and indexed again, and corrections of chunks are dropped. Searches
            use the present index until the new one is complete.
          </Notice>
        </div>
      ) : null}
      <Field
        name="review_days"
        label="Review documents every … days"
        type="number"
        min={1}
        max={3650}
        placeholder="never"
        defaultValue={base.review_days ?? ""}
        fault={fault("/review_days")}
      />
      <Field
        name="version_days"
        label="Keep former versions for … days"
        type="number"
        min={0}
        max={3650}
        placeholder="as long as the document"
        defaultValue={base.version_days ?? ""}
        fault={fault("/version_days")}
      />
      <EmbeddingFields base={base} fault={fault("/embedding")} />
      <RerankerFields base={base} fault={fault("/reranker")} />
    </div>
  );
}

/** The model that makes vectors, by the name of its connection. */
function EmbeddingFields({ base, fault }: { readonly base: Base; readonly fault: string | null }) {
  return (
    <>
      <Field
        name="embedding_connection"
        label="Embedding: connection"
        placeholder="none"
        defaultValue={base.embedding?.connection ?? ""}
        hint="The name of a connection of kind openai or openai-compatible. Empty: searches go by words only."
        fault={fault}
      />
      <Field
        name="embedding_model"
        label="Embedding: model"
        placeholder="text-embedding-3-small"
        defaultValue={base.embedding?.model ?? ""}
      />
    </>
  );
}

/** The model that orders the best passages once more, by the name of its connection. */
function RerankerFields({ base, fault }: { readonly base: Base; readonly fault: string | null }) {
  return (
    <>
      <Field
        name="reranker_connection"
        label="Reranker: connection"
        placeholder="none"
        defaultValue={base.reranker?.connection ?? ""}
        hint="The name of a connection of kind openai-compatible that answers /rerank. Empty: the plain order."
        fault={fault}
      />
      <Field
        name="reranker_model"
        label="Reranker: model"
        placeholder="bge-reranker-v2-m3"
        defaultValue={base.reranker?.model ?? ""}
      />
    </>
  );
}
