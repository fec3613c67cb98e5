import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type Base, createBase, touched } from "../../api/knowledge.ts";
import { useChange } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { ReadersField } from "./readers.tsx";
import { languages } from "./settings-parts.ts";

/** Makes a base, and opens it. */
export function CreateBase({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const change = useChange(createBase, touched.bases);
  const [readers, setReaders] = useState<string[] | null>(null);
  const close = (): void => {
    change.reset();
    onClose();
  };
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { name } = await change.mutateAsync({
      name: String(form.get("name")).trim(),
      description: String(form.get("description")),
      language: form.get("language") as Base["language"],
      ...(readers === null ? {} : { readers }),
    });
    close();
    await navigate({ to: "/knowledge/bases/$base", params: { base: name } });
  };
  const fault = (pointer: string): string | null =>
    change.error?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" type="submit" form="create-base" busy={change.isPending}>
        Create
      </Button>
    </>
  );
  return (
    <Dialog open={open} onClose={close} title="New knowledge base" footer={footer}>
      <form id="create-base" onSubmit={(event) => void create(event).catch(() => undefined)} className="grid gap-4">
        {change.error && change.error.faults.length === 0 ? <ErrorState error={change.error} /> : null}
        <Field
          name="name"
          label="Name"
          placeholder="handbook"
          hint="Agents name it in their definition: lowercase letters, digits, _ and -."
          required
          fault={fault("/name")}
          data-autofocus
        />
        <Field name="description" label="What is in it" maxLength={2000} fault={fault("/description")} />
        <Select
          name="language"
          label="Language"
          defaultValue="english"
          hint="Words are found by their stems in it. Take “simple” for mixed languages."
          fault={fault("/language")}
        >
          {languages.map((language) => (
            <option key={language}>{language}</option>
          ))}
        </Select>
        <ReadersField readers={readers} onChange={setReaders} fault={fault("/readers")} />
      </form>
    </Dialog>
  );
}
