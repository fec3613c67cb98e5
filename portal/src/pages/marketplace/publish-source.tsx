import { useEffect, useState } from "react";
import { listAgents, listVersions } from "../../api/agents.ts";
import { listDatasets, listScorers } from "../../api/evaluations.ts";
import { listPolicies } from "../../api/governance.ts";
import { listBases } from "../../api/knowledge.ts";
import type { ListingSource } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { listWorkflows, listVersions as listWorkflowVersions } from "../../api/workflows.ts";
import { Chips, Select } from "../../ui/field.tsx";
import type { FaultAt } from "./publish-body.ts";
import { kinds } from "./search.ts";
import { kindWords } from "./words.ts";

type Kind = ListingSource["kind"];

interface SourceProps {
  /** The kind that a new version has to have; null: any. */
  readonly kind: Kind | null;
  /** Called whenever the choice changes; null: it is not complete. */
  readonly onSource: (source: ListingSource | null) => void;
  readonly fault: FaultAt;
}

/** What of one's own work is packed. */
export function SourceFields({ kind: fixed, onSource, fault }: SourceProps) {
  const [kind, setKind] = useState<Kind>(fixed ?? "agent");
  const choose = (next: Kind): void => {
    setKind(next);
    onSource(null);
  };
  const part = { onSource, fault };
  return (
    <>
      {fixed === null ? (
        <Select
          label="Kind"
          value={kind}
          onChange={({ target }) => choose(kinds.find((one) => one === target.value) ?? "agent")}
          className="sm:max-w-64"
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {kindWords[one]}
            </option>
          ))}
        </Select>
      ) : null}
      {kind === "agent" || kind === "tool_set" ? <AgentSource key={kind} kind={kind} {...part} /> : null}
      {kind === "workflow" ? <WorkflowSource {...part} /> : null}
      {kind === "policy_pack" || kind === "dataset" || kind === "scorer" ? (
        <NamedSource key={kind} kind={kind} {...part} />
      ) : null}
    </>
  );
}

type PartProps = Pick<SourceProps, "onSource" | "fault">;
type Lists = Readonly<Record<"training" | "datasets" | "knowledge" | "policies", readonly string[]>>;

const noLists: Lists = { training: [], datasets: [], knowledge: [], policies: [] };

/** A version of an agent and what goes along with it, or its tools alone. */
function AgentSource({ kind, onSource, fault }: PartProps & { readonly kind: "agent" | "tool_set" }) {
  const { data: agents } = useLive(listAgents({ limit: 100 }));
  const [agent, setAgent] = useState("");
  const [version, setVersion] = useState(0);
  const [lists, setLists] = useState(noLists);
  const { data: versions } = useLive(listVersions(agent), { when: agent !== "" });
  useEffect(() => {
    if (agent === "" || version === 0) return onSource(null);
    const chosen = Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0));
    onSource(kind === "agent" ? { kind, agent, version, ...chosen } : { kind, agent, version });
  }, [kind, agent, version, lists, onSource]);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={kind === "agent" ? "Agent" : "Agent whose tools they are"}
          value={agent}
          required
          onChange={({ target }) => {
            setAgent(target.value);
            setVersion(0);
            setLists(noLists);
          }}
          fault={fault("/source/agent")}
        >
          <option value="">choose one</option>
          {agents?.data.map(({ agent: name }) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <VersionSelect
          version={version}
          versions={versions?.data.map(({ version, note }) => ({ number: version, note }))}
          onVersion={setVersion}
          fault={fault("/source/version")}
        />
      </div>
      {kind === "agent" && agent !== "" ? (
        <AgentLists agent={agent} lists={lists} onLists={setLists} fault={fault} />
      ) : null}
    </>
  );
}

interface VersionSelectProps {
  readonly version: number;
  readonly versions: readonly { readonly number: number; readonly note: string }[] | undefined;
  readonly onVersion: (version: number) => void;
  readonly fault: string | null;
}

function VersionSelect({ version, versions, onVersion, fault }: VersionSelectProps) {
  return (
    <Select
      label="Version of it"
      value={version}
      required
      disabled={versions === undefined}
      onChange={({ target }) => onVersion(Number(target.value))}
      hint={versions?.length === 0 ? "It has no frozen version yet: freeze one first." : undefined}
      fault={fault}
    >
      <option value={0}>choose one</option>
      {versions?.map(({ number, note }) => (
        <option key={number} value={number}>
          {number}
          {note === "" ? "" : `: ${note.slice(0, 60)}`}
        </option>
      ))}
    </Select>
  );
}

interface AgentListsProps {
  readonly agent: string;
  readonly lists: Lists;
  readonly onLists: (lists: Lists) => void;
  readonly fault: FaultAt;
}

function AgentLists({ agent, lists, onLists, fault }: AgentListsProps) {
  const { data: datasets } = useLive(listDatasets({ agent, limit: 100 }));
  const { data: bases } = useLive(listBases({ limit: 100 }));
  const { data: policies } = useLive(listPolicies({ limit: 100 }));
  const sets = datasets?.data.map(({ name }) => [name, name] as const) ?? [];
  const set = (member: keyof Lists) => (names: string[]) => onLists({ ...lists, [member]: names });
  return (
    <>
      <Names
        label="Datasets of its evaluation"
        hint="None chosen: those of its gate here."
        options={sets}
        chosen={lists.datasets}
        onChange={set("datasets")}
        fault={fault("/source/datasets")}
      />
      <Names
        label="Datasets that it was trained on"
        hint="Whoever installs it trains it again."
        options={sets}
        chosen={lists.training}
        onChange={set("training")}
        fault={fault("/source/training")}
      />
      <Names
        label="Knowledge bases"
        hint="Their documents go along, for everybody who installs it. None chosen: installers bring their own."
        options={bases?.data.map(({ name }) => [name, name] as const) ?? []}
        chosen={lists.knowledge}
        onChange={set("knowledge")}
        fault={fault("/source/knowledge")}
      />
      <Names
        label="Policies"
        options={policies?.data.map(({ policy_id, name }) => [policy_id, name] as const) ?? []}
        chosen={lists.policies}
        onChange={set("policies")}
        fault={fault("/source/policies")}
      />
    </>
  );
}

function WorkflowSource({ onSource, fault }: PartProps) {
  const { data } = useLive(listWorkflows({ limit: 100 }));
  const [workflow, setWorkflow] = useState("");
  const [version, setVersion] = useState(0);
  const { data: versions } = useLive(listWorkflowVersions(workflow), { when: workflow !== "" });
  useEffect(() => {
    onSource(workflow === "" || version === 0 ? null : { kind: "workflow", workflow, version });
  }, [workflow, version, onSource]);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Workflow"
        value={workflow}
        required
        onChange={({ target }) => {
          setWorkflow(target.value);
          setVersion(0);
        }}
        fault={fault("/source/workflow")}
      >
        <option value="">choose one</option>
        {data?.data.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <VersionSelect
        version={version}
        versions={versions?.data}
        onVersion={setVersion}
        fault={fault("/source/version")}
      />
    </div>
  );
}

/** Policies, datasets or scorers, one or several. */
function NamedSource({ kind, onSource, fault }: PartProps & { readonly kind: "policy_pack" | "dataset" | "scorer" }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const policies = useLive(listPolicies({ limit: 100 }), { when: kind === "policy_pack" });
  const datasets = useLive(listDatasets({ limit: 100 }), { when: kind === "dataset" });
  const scorers = useLive(listScorers({ limit: 100 }), { when: kind === "scorer" });
  const options = {
    policy_pack: policies.data?.data.map(({ policy_id, name }) => [policy_id, name] as const),
    dataset: datasets.data?.data.map(({ name }) => [name, name] as const),
    scorer: scorers.data?.data.map(({ scorer }) => [scorer, scorer] as const),
  }[kind];
  useEffect(() => {
    const names = [...chosen];
    if (names.length === 0) return onSource(null);
    if (kind === "policy_pack") onSource({ kind, policies: names });
    else if (kind === "dataset") onSource({ kind, datasets: names });
    else onSource({ kind, scorers: names });
  }, [kind, chosen, onSource]);
  return (
    <Names
      label={{ policy_pack: "Policies", dataset: "Datasets", scorer: "Scorers" }[kind]}
      options={options ?? []}
      chosen={chosen}
      onChange={setChosen}
      fault={fault("/source")}
    />
  );
}

interface NamesProps {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly chosen: readonly string[];
  readonly onChange: (names: string[]) => void;
  readonly fault: string | null;
}

function Names({ label, hint, options, chosen, onChange, fault }: NamesProps) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">{label}</p>
      {options.length === 0 ? (
        <p className="text-sm text-muted">There are none here.</p>
      ) : (
        <Chips label={label} options={options} chosen={chosen} onChange={onChange} />
      )}
      {hint ? <p className="text-xs text-muted">{hint}</p> : null}
      {fault ? (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      ) : null}
    </div>
  );
}
