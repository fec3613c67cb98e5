import { useState } from "react";
import { listAgents } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Chips, Field } from "../../ui/field.tsx";
import { listOf, readerParts, readerTokens } from "./words.ts";

const roles = ["viewer", "operator", "approver", "auditor", "builder", "admin"].map((role) => [role, role] as const);

export interface ReadersFieldProps {
  readonly readers: readonly string[] | null;
  readonly onChange: (readers: string[] | null) => void;
  /** What everyone is, where nothing restricts it here. */
  readonly everyone?: string;
  readonly fault?: string | null;
}

/** Who may read: everyone, or some roles, agents and members. */
export function ReadersField({
  readers,
  onChange,
  everyone = "Everyone who may read knowledge",
  fault,
}: ReadersFieldProps) {
  const parts = readerParts(readers);
  const [agents, setAgents] = useState(parts.agents.join(", "));
  const [members, setMembers] = useState(parts.members.join(", "));
  const change = (next: Partial<typeof parts>): void => onChange(readerTokens({ ...parts, ...next }));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 text-sm font-medium">Who may read</legend>
      <Choice label={everyone} checked={readers === null} onChoose={() => onChange(null)} />
      <Choice label="Only these" checked={readers !== null} onChoose={() => onChange(readerTokens(parts))} />
      {readers === null ? null : (
        <div className="grid gap-3 border-l-2 border-line pl-4">
          <Chips label="Roles" options={roles} chosen={parts.roles} onChange={(next) => change({ roles: next })} />
          <Field
            label="Agents"
            value={agents}
            list="reader-agents"
            placeholder="sales, support"
            hint="Names with commas. An agent finds in its tasks what is open to it, whoever gave the task."
            onChange={({ target }) => {
              setAgents(target.value);
              change({ agents: listOf(target.value) });
            }}
          />
          <AgentNames />
          <Field
            label="Members"
            value={members}
            placeholder="mbr_…"
            onChange={({ target }) => {
              setMembers(target.value);
              change({ members: listOf(target.value) });
            }}
          />
          <p className="text-xs text-muted">Admins can always read. For everybody else it does not exist.</p>
        </div>
      )}
      {fault ? (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
}

function Choice({ label, checked, onChoose }: { label: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="flex items-center gap-2 text-sm pointer-coarse:min-h-11">
      <input type="radio" checked={checked} onChange={onChoose} className="size-4 accent-accent" />
      {label}
    </label>
  );
}

function AgentNames() {
  const may = useMay("agents:read");
  const { data } = useLive(listAgents({ limit: 100 }), { when: may });
  return (
    <datalist id="reader-agents">
      {data?.data.map(({ agent }) => (
        <option key={agent} value={agent} />
      ))}
    </datalist>
  );
}
