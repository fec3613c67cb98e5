import { useState } from "react";
import type { Problem } from "../../../api/problem.ts";
import { useChange, useLive } from "../../../api/queries.ts";
import { noTeam, readTeam, setTeam, type TaggedTeam } from "../../../api/teams.ts";
import { ownZone } from "../../../lib/window-request.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { ErrorState, Notice, Skeleton } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.tsx";
import { bodyOf, type Draft, draftOf, emptyDraft, faultAt, faultsOf } from "./draft.ts";
import { HoursFields } from "./hours.tsx";
import { MembersField } from "./members.tsx";
import { OutsideFields, RepliesFields } from "./texts.tsx";

interface EditProps {
  /** The name of the team that is changed; null: a new one. */
  readonly team: string | null;
  readonly onClose: () => void;
}

/** Creates a team, or changes one as it is now: where another person saves meanwhile, the entity tag says so. */
export function EditTeam({ team, onClose }: EditProps) {
  const { data, error } = useLive(readTeam(team ?? ""), { when: team !== null });
  // What was read first stays: reading again must not replace what is being written.
  const [read, setRead] = useState<TaggedTeam | null>(null);
  if (team !== null && data && read === null) setRead(data);
  if (team === null || read !== null) return <TeamForm of={read} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={`Change ${team}`} wide>
      {error ? <ErrorState error={error} /> : <Skeleton lines={8} />}
    </Dialog>
  );
}

export interface PartProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  /** What is wrong at a place of the body, or inside it. */
  readonly fault: (place: string) => string | null;
}

const touched = ["/v1/admin/teams", "/v1/admin/teams/{team}", "/v1/chat/queues"] as const;
const assignments: readonly (readonly [Draft["assignment"], string])[] = [
  ["claim", "Members take what waits"],
  ["round_robin", "In turn: who was assigned one longest ago"],
  ["least_loaded", "To whoever has the fewest open ones"],
];

function TeamForm({ of, onClose }: { readonly of: TaggedTeam | null; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(() => (of ? draftOf(of.value, ownZone()) : emptyDraft(ownZone())));
  const [tried, setTried] = useState(false);
  const change = useChange(setTeam, touched);
  const own = tried ? faultsOf(draft) : new Map<string, string>();
  const fault = (place: string): string | null => faultAt(place, own, change.error?.faults ?? []);
  const submit = (): void => {
    setTried(true);
    if (faultsOf(draft).size > 0) return;
    change.mutate(
      { team: draft.name.trim(), etag: of?.etag ?? noTeam, body: bodyOf(draft) },
      {
        onSuccess: ({ title }) => {
          toast(of ? `${title} is saved.` : `${title} is there.`);
          onClose();
        },
      },
    );
  };
  const parts: PartProps = { draft, onChange: (next) => setDraft({ ...draft, ...next }), fault };
  const conflict = conflictText(change.error, of !== null);
  return (
    <FormDialog
      title={of ? `Change ${of.value.title}` : "New team"}
      word={of ? "Save" : "Create"}
      change={conflict === null ? change : { isPending: change.isPending, error: null }}
      onSubmit={submit}
      onClose={onClose}
      wide
      atFields={change.error?.faults.every(({ pointer }) => withField.test(pointer ?? "")) ?? true}
    >
      <Names {...parts} isNew={of === null} taken={of === null ? conflict : null} />
      <MembersField {...parts} known={of?.value.members ?? []} />
      <HoursFields {...parts} />
      <OutsideFields {...parts} />
      <Service {...parts} />
      <RepliesFields {...parts} />
      {own.size > 0 ? <Notice tone="bad">Not saved: see what is marked above.</Notice> : null}
      {of !== null && conflict !== null ? (
        <div role="alert">
          <Notice tone="bad">{conflict}</Notice>
        </div>
      ) : null}
    </FormDialog>
  );
}

/** Somebody else was faster: said in the words of this form. */
function conflictText(error: Problem | null, isThere: boolean): string | null {
  if (error?.status !== 412) return null;
  return isThere
    ? "Somebody changed this team while you did. Close this form, open it again, and repeat your change."
    : "There is a team of this name already.";
}

/** Places of the body that have a field of their own in this form. */
const withField =
  /^\/(title|members|assignment|hours\/(time_zone|holidays|weekly)|targets\/(waiting|first_answer)_seconds)(\/|$)|^\/outside\/[a-z]|^\/saved_replies\/\d+\/(title|name|text)$/;

function Names({
  draft,
  onChange,
  fault,
  isNew,
  taken,
}: PartProps & { readonly isNew: boolean; readonly taken: string | null }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Title"
        hint="As customers read it."
        value={draft.title}
        onChange={({ target }) => onChange({ title: target.value })}
        fault={fault("/title")}
        required
        maxLength={100}
        data-autofocus
      />
      {isNew ? (
        <Field
          label="Name"
          placeholder="billing"
          hint="For agents' files and readers (team:billing). Lowercase letters, digits and -; it stays."
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
          fault={taken}
          pattern="[a-z][a-z0-9\-]{0,39}"
          title="A lowercase letter, then lowercase letters, digits and -"
          required
        />
      ) : null}
    </div>
  );
}

function Service({ draft, onChange, fault }: PartProps) {
  const minutes = { type: "number", min: 0.1, step: "any", placeholder: "none" } as const;
  return (
    <fieldset className="grid gap-4 sm:grid-cols-3">
      <legend className="mb-1.5 font-semibold">Assignment and service levels</legend>
      <Select
        label="Who gets a conversation"
        value={draft.assignment}
        onChange={({ target }) => onChange({ assignment: target.value as Draft["assignment"] })}
        fault={fault("/assignment")}
      >
        {assignments.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Select>
      <Field
        label="Taken within … minutes"
        hint="Minutes of opening hours."
        value={draft.waiting}
        onChange={({ target }) => onChange({ waiting: target.value })}
        fault={fault("/targets/waiting_seconds")}
        {...minutes}
      />
      <Field
        label="Answered within … minutes"
        hint="Until the first answer of a person."
        value={draft.firstAnswer}
        onChange={({ target }) => onChange({ firstAnswer: target.value })}
        fault={fault("/targets/first_answer_seconds")}
        {...minutes}
      />
    </fieldset>
  );
}
