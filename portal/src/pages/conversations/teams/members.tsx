import { X } from "lucide-react";
import { useLive } from "../../../api/queries.ts";
import { listPeople, type Team } from "../../../api/teams.ts";
import { visible } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Select } from "../../../ui/field.tsx";
import type { PartProps } from "./edit.tsx";

interface MembersProps extends PartProps {
  /** Members as the team was read, with their names. */
  readonly known: Team["members"];
}

/** Who belongs to a team: people with a role here, by name. */
export function MembersField({ draft: { members }, onChange, fault, known }: MembersProps) {
  const { data: people = [] } = useLive(listPeople());
  const nameOf = (id: string): string =>
    people.find(({ member_id }) => member_id === id)?.name ??
    known.find(({ member_id }) => member_id === id)?.name ??
    id;
  const cannotAnswer = new Set(known.filter(({ answers }) => !answers).map(({ member_id }) => member_id));
  const free = people
    .filter(({ member_id, role }) => role !== null && !members.includes(member_id))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">Members</legend>
      {members.length === 0 ? (
        <p className="text-muted">Nobody yet.</p>
      ) : (
        <ul aria-label="Members of the team" className="flex flex-wrap gap-2">
          {members.map((id) => (
            <li key={id} className="flex items-center gap-1 rounded-md border border-line bg-sunken pl-2.5">
              <span className="wrap-anywhere">{visible(nameOf(id))}</span>
              {cannotAnswer.has(id) ? <Badge tone="warn">may not answer</Badge> : null}
              <IconButton
                label={`Remove ${nameOf(id)}`}
                onClick={() => onChange({ members: members.filter((one) => one !== id) })}
              >
                <X className="size-4" aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <Select
        label="Add a member"
        value=""
        onChange={({ target }) => target.value !== "" && onChange({ members: [...members, target.value] })}
        fault={fault("/members")}
        className="sm:max-w-sm"
      >
        <option value="">{free.length === 0 ? "Everybody is in it" : "Choose…"}</option>
        {free.map(({ member_id, name, role, email }) => (
          <option key={member_id} value={member_id}>
            {visible(name)} ({[email, role].filter((part) => part !== null).join(", ")})
          </option>
        ))}
      </Select>
    </fieldset>
  );
}
