import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { readPolicy, retirePolicy, type TaggedPolicy } from "../../api/governance.ts";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { exactly } from "../../lib/time.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts, PageHead } from "../../ui/card.tsx";
import { CodeBlock, CopyText } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { EditPolicy } from "./edit.tsx";
import { foundBy } from "./loaders.ts";
import { ReplayView } from "./report.tsx";
import { Found } from "./violations.tsx";
import { effectText, scopeText } from "./words.ts";

type Policy = Schema<"Policy">;

const route = getRouteApi("/shell/policies/$policy");

/** One policy: what it says, what it found, and how it came to be so. */
export function PolicyPage() {
  const { policy: id } = route.useParams();
  const { tab = "text" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: tagged } = usePrefetched(readPolicy(id), { every: 15_000 });
  const { data: found } = usePrefetched(foundBy(id), { every: 5000 });
  // The policy as it was when the dialog was opened, with its entity tag: another's change meanwhile is refused, not overwritten.
  const [open, setOpen] = useState<{ readonly to: "edit" | "retire"; readonly of: TaggedPolicy } | null>(null);
  const close = (): void => setOpen(null);
  const policy = tagged.value;
  const mayWrite = useMay("governance:write");
  const actions =
    policy.state === "retired" || !mayWrite ? null : (
      <>
        <Button onClick={() => setOpen({ to: "retire", of: tagged })}>Retire</Button>
        <Button kind="primary" onClick={() => setOpen({ to: "edit", of: tagged })}>
          Change
        </Button>
      </>
    );
  return (
    <>
      <PageHead
        title={policy.name}
        lead={policy.message}
        above={<Link to="/policies">Policies</Link>}
        actions={actions}
      />
      <Tabs
        label="Policy sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as typeof tab }, resetScroll: false })}
        tabs={[
          { id: "text", title: "Definition", content: () => <Text policy={policy} /> },
          { id: "found", title: "Findings", content: () => <FoundCard rows={found.data} /> },
          {
            id: "versions",
            title: `Versions (${policy.versions.length})`,
            content: () => <Versions policy={policy} />,
          },
        ]}
      />
      {open?.to === "edit" ? <EditPolicy of={open.of} onClose={close} onSaved={() => {}} /> : null}
      {open?.to === "retire" ? <Retire of={open.of} onClose={close} /> : null}
    </>
  );
}

function Text({ policy }: { readonly policy: Policy }) {
  return (
    <div className="grid gap-4">
      <Card title={`Version ${policy.version}`} aside={<StatusBadge status={policy.state} />}>
        <div className="grid gap-4">
          <div className="grid gap-1.5">
            <p className="text-sm text-muted">When</p>
            <CodeBlock code={policy.when} label="condition" wrap />
          </div>
          <Facts
            facts={[
              ["Then", effectText(policy)],
              ["Actions", scopeText(policy.scope)],
              [
                "Reason code",
                <code key="code" className="id">
                  {policy.reason_code}
                </code>,
              ],
              policy.controls.length > 0 && ["Implements", policy.controls.join(", ")],
              policy.effective_from !== null && ["Effective from", exactly(policy.effective_from)],
              policy.effective_until !== null && ["Until", exactly(policy.effective_until)],
              policy.activated_at !== null && ["Active since", <RelativeTime key="since" time={policy.activated_at} />],
              policy.in_force.active !== null &&
                policy.in_force.active !== policy.version && ["Active now", `version ${policy.in_force.active}`],
              policy.note !== "" && ["Change note", policy.note],
              ["Id", <CopyText key="id" text={policy.policy_id} />],
            ]}
          />
        </div>
      </Card>
      {policy.report ? (
        <Card title="Replay before activation">
          <ReplayView report={policy.report} />
        </Card>
      ) : null}
    </div>
  );
}

function FoundCard({ rows }: { readonly rows: readonly Schema<"Violation">[] }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      <Found rows={rows} />
    </div>
  );
}

function Versions({ policy }: { readonly policy: Policy }) {
  return (
    <ol className="grid gap-3">
      {policy.versions.map((version) => (
        <li key={version.version} className="rounded-lg border border-line bg-surface px-5 py-4 text-sm shadow-card">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold">Version {version.version}</span>
            <StatusBadge status={version.state} />
            {policy.in_force.active === version.version ? <Badge tone="good">decides</Badge> : null}
            {policy.in_force.shadow === version.version ? <Badge tone="info">watches</Badge> : null}
            <RelativeTime time={version.created_at} className="ml-auto text-muted" />
          </p>
          <p className="mt-1 text-muted">{version.note || "No note."}</p>
        </li>
      ))}
    </ol>
  );
}

function Retire({ of: { value: policy, etag }, onClose }: { readonly of: TaggedPolicy; readonly onClose: () => void }) {
  const change = useChange(retirePolicy, ["/v1/governance/policies", "/v1/governance/policies/{policy}"]);
  const retire = async (): Promise<void> => {
    await change.mutateAsync({ policy: policy.policy_id, etag });
    toast(`${policy.name} is retired.`);
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" busy={change.isPending} onClick={() => void retire().catch(() => {})}>
        Retire
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Retire “${policy.name}”`} footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          It stops being enforced everywhere within a second. It stays readable because audit records of its decisions
          name it.
        </p>
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
