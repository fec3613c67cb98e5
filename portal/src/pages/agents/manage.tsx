import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { archiveAgent, cloneAgent, readDependents, restoreAgent, transferAgent } from "../../api/agent-life.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { spoken } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

type Agent = Schema<"Agent">;
type Asked = "clone" | "transfer" | "archive";
interface DialogParts {
  readonly agent: Agent;
  readonly onClose: () => void;
}

const stale = ["/v1/agents", "/v1/agents/{agent}", "/v1/agents/{agent}/health"] as const;

/** Who answers for the agent, and what becomes of it as a whole. */
export function Manage({ agent }: { readonly agent: Agent }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const may = useMay("agents:write");
  const close = (): void => setAsked(null);
  return (
    <Card title="Ownership">
      <div className="grid gap-4">
        <Facts
          facts={[
            [
              "Owner",
              <span key="owner" className="id break-all">
                {agent.owner}
              </span>,
            ],
          ]}
        />
        {may ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked("clone")}>Clone</Button>
            {agent.status === "archived" ? (
              <Restore agent={agent} />
            ) : (
              <>
                <Button onClick={() => setAsked("transfer")}>Transfer</Button>
                <Button kind="refuse" onClick={() => setAsked("archive")}>
                  Archive
                </Button>
              </>
            )}
          </div>
        ) : null}
      </div>
      {asked === "clone" ? <CloneDialog agent={agent} onClose={close} /> : null}
      {asked === "transfer" ? <TransferDialog agent={agent} onClose={close} /> : null}
      {asked === "archive" ? <ArchiveDialog agent={agent} onClose={close} /> : null}
    </Card>
  );
}

function Restore({ agent }: { readonly agent: Agent }) {
  const restore = useChange(restoreAgent, [...stale]);
  const go = (): void =>
    restore.mutate(agent.agent, {
      onSuccess: () => toast(`${agent.agent} is a draft again. Deploy a version to let it work.`),
      onError: toastProblem,
    });
  return (
    <Button kind="primary" onClick={go} busy={restore.isPending}>
      Restore
    </Button>
  );
}

function CloneDialog({ agent, onClose }: DialogParts) {
  const clone = useChange(cloneAgent, ["/v1/agents"]);
  const navigate = useNavigate();
  const live = agent.deployment?.version;
  const submit = (form: FormData): void => {
    const version = String(form.get("source")) === "version" && live !== undefined ? { version: live } : {};
    clone.mutate(
      { agent: agent.agent, body: { name: String(form.get("name")), ...version } },
      { onSuccess: (made) => void navigate({ to: "/agents/$agent", params: { agent: made.agent } }) },
    );
  };
  return (
    <FormDialog title={`Clone ${agent.agent}`} word="Clone" change={clone} onSubmit={submit} onClose={onClose}>
      <Field name="name" label="Name of the clone" required maxLength={64} pattern="[a-z][a-z0-9_\-]*" />
      <Select name="source" label="From">
        <option value="draft">the draft</option>
        {live === undefined ? null : <option value="version">version {live}, which is live here</option>}
      </Select>
      <p className="text-muted">
        The clone is a draft that you own. Deployments, versions, trust, feedback and the gate stay with {agent.agent}.
      </p>
    </FormDialog>
  );
}

function TransferDialog({ agent, onClose }: DialogParts) {
  const transfer = useChange(transferAgent, [...stale]);
  const submit = (form: FormData): void =>
    transfer.mutate(
      { agent: agent.agent, body: { owner: String(form.get("owner")).trim() } },
      {
        onSuccess: () => {
          toast(`${agent.agent} has another owner.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog title={`Transfer ${agent.agent}`} word="Transfer" change={transfer} onSubmit={submit} onClose={onClose}>
      <Field
        name="owner"
        label="New owner"
        required
        maxLength={64}
        placeholder="mbr_…"
        hint="The id of a member, who answers for the agent from now on. Ownership gives no rights."
      />
    </FormDialog>
  );
}

function ArchiveDialog({ agent, onClose }: DialogParts) {
  const archive = useChange(archiveAgent, [...stale]);
  const { data } = useLive(readDependents(agent.agent));
  const active = data?.dependents.filter((one) => one.active) ?? [];
  const submit = (form: FormData): void =>
    archive.mutate(
      { agent: agent.agent, reason: String(form.get("reason")), force: form.get("force") === "on" },
      {
        onSuccess: () => {
          toast(`${agent.agent} is archived.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Archive ${agent.agent}`}
      word="Archive"
      kind="danger"
      change={archive}
      onSubmit={submit}
      onClose={onClose}
    >
      {active.length > 0 ? (
        <Notice tone="warn">
          <p>These use it and would fail without it:</p>
          <ul className="mt-1 list-disc pl-5">
            {active.map(({ kind, id, name }) => (
              <li key={`${kind} ${id}`}>
                {spoken(kind)}: {name}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <TextArea
        name="reason"
        label="Why"
        required
        maxLength={2000}
        rows={2}
        hint="Recorded and shown with the agent."
      />
      <p className="text-muted">
        It takes no new work, open tasks finish, and what is live of it here ends. It can be restored as a draft.
      </p>
      {active.length > 0 || archive.error?.code === "agent_in_use" ? (
        <label className="flex items-center gap-2">
          <input type="checkbox" name="force" className="size-4 accent-accent" /> Archive it all the same
        </label>
      ) : null}
    </FormDialog>
  );
}
