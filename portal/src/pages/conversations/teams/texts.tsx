import { Plus, X } from "lucide-react";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import type { OutsideText, SavedReply } from "./draft.ts";
import type { PartProps } from "./edit.tsx";

const plus = <Plus className="size-4" aria-hidden="true" />;

/** A list with one item changed; null: without it. */
const changed = <T,>(items: readonly T[], at: number, item: T | null): T[] =>
  items.flatMap((one, index) => (index !== at ? [one] : item === null ? [] : [item]));

/** What customers read outside the opening hours, by language. */
export function OutsideFields({ draft: { outside, always }, onChange, fault }: PartProps) {
  if (always && outside.length === 0) return null;
  const set = (at: number, item: OutsideText | null): void => onChange({ outside: changed(outside, at, item) });
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">Outside these hours</legend>
      <p className="text-muted">
        {outside.length === 0 ? "Customers read a sentence of the service in their language. " : ""}
        <code className="id">{"{{opens}}"}</code> stands for when the team opens,{" "}
        <code className="id">{"{{team}}"}</code> for its title.
      </p>
      {outside.map(({ language, text }, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and a language is being written
          key={at}
          className="grid grid-cols-[1fr_auto] items-start gap-3 sm:grid-cols-[7rem_1fr_auto]"
        >
          <Field
            label="Language"
            placeholder="en"
            value={language}
            onChange={({ target }) => set(at, { language: target.value, text })}
            fault={fault(`/outside/${at}`) ?? (language === "" ? null : fault(`/outside/${language}`))}
          />
          <TextArea
            label="Text"
            rows={2}
            className="col-span-full sm:col-auto"
            value={text}
            onChange={({ target }) => set(at, { language, text: target.value })}
            maxLength={1000}
            required
          />
          <Remove label={`Remove the text in ${language || "this language"}`} onClick={() => set(at, null)} />
        </div>
      ))}
      <p>
        <Button
          size="small"
          icon={plus}
          onClick={() => onChange({ outside: [...outside, { language: outside.length === 0 ? "en" : "", text: "" }] })}
        >
          Add a text of your own
        </Button>
      </p>
    </fieldset>
  );
}

/** Answers that members choose while they write. */
export function RepliesFields({ draft: { replies }, onChange, fault }: PartProps) {
  const set = (at: number, item: SavedReply | null): void => onChange({ replies: changed(replies, at, item) });
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">Saved replies</legend>
      <p className="text-muted">
        Placeholders: <code className="id">{"{{user}}"}</code>, <code className="id">{"{{me}}"}</code>,{" "}
        <code className="id">{"{{team}}"}</code>, <code className="id">{"{{conversation}}"}</code>,{" "}
        <code className="id">{"{{context.order}}"}</code>.
      </p>
      {replies.map(({ name, title, text }, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and theirs is being written
          key={at}
          className="grid grid-cols-[1fr_auto] items-start gap-3 rounded-md border border-line p-3 sm:grid-cols-[1fr_1fr_auto]"
        >
          <Field
            label="Title"
            value={title}
            onChange={({ target }) => set(at, { name, title: target.value, text })}
            fault={fault(`/saved_replies/${at}/title`)}
            maxLength={100}
            required
          />
          <Field
            label="Name"
            placeholder="on-it"
            className="row-start-2 sm:row-auto"
            value={name}
            onChange={({ target }) => set(at, { name: target.value, title, text })}
            fault={fault(`/saved_replies/${at}/name`)}
            pattern="[a-z][a-z0-9\-]{0,39}"
            title="A lowercase letter, then lowercase letters, digits and -"
            required
          />
          <Remove label={`Remove the saved reply ${title || name}`} onClick={() => set(at, null)} />
          <TextArea
            label="Text"
            rows={3}
            className="col-span-full"
            value={text}
            onChange={({ target }) => set(at, { name, title, text: target.value })}
            fault={fault(`/saved_replies/${at}/text`)}
            maxLength={4000}
            required
          />
        </div>
      ))}
      <p>
        <Button
          size="small"
          icon={plus}
          onClick={() => onChange({ replies: [...replies, { name: "", title: "", text: "" }] })}
        >
          Add a saved reply
        </Button>
      </p>
    </fieldset>
  );
}

function Remove({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <IconButton label={label} onClick={onClick} className="mt-6">
      <X className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
