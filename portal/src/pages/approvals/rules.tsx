import { useState } from "react";
import { listRules, type Rule, retireRule, testRule } from "../../api/approvals.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { StagesText } from "./required-by.tsx";
import { RuleForm } from "./rule-form.tsx";
import { RuleTestView } from "./rule-test.tsx";
import { conditionText, endText } from "./rule-words.ts";

interface RulesProps {
  readonly cursor: string | undefined;
  readonly onPage: (cursor: string | undefined) => void;
}

type Asked = { readonly what: "add" } | { readonly what: "change" | "retire" | "test"; readonly rule: Rule };

/** Who must approve what: rules of the environment, which only add to what policies and risk demand. */
export function Rules({ cursor, onPage }: RulesProps) {
  const { data, error, refetch } = useLive(listRules(cursor, "active"), { every: 30_000 });
  const mayChange = useMay("approvals:write");
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <div className="mt-4 grid gap-3">
      {mayChange ? <NewButton onClick={() => setAsked({ what: "add" })}>New rule</NewButton> : null}
      <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <EmptyState title="No approval rules" command="bin/aos approvals settings rules set --help">
            A rule says who must approve what: by role, team or name, one after another. It adds to what policies and
            risk demand, and never takes anything away.
          </EmptyState>
        ) : (
          <ul aria-label="Approval rules" className="divide-y divide-line">
            {data.data.map((rule) => (
              <Row key={rule.rule} rule={rule} mayChange={mayChange} onAsk={(what) => setAsked({ what, rule })} />
            ))}
          </ul>
        )}
        <Pagination cursor={cursor} next={data.next_cursor} onGo={onPage} />
      </div>
      {asked?.what === "add" ? <RuleForm rule={null} onClose={close} /> : null}
      {asked?.what === "change" ? <RuleForm rule={asked.rule} onClose={close} /> : null}
      {asked?.what === "retire" ? <Retire rule={asked.rule} onClose={close} /> : null}
      {asked?.what === "test" ? <Test rule={asked.rule} onClose={close} /> : null}
    </div>
  );
}

interface RowProps {
  readonly rule: Rule;
  readonly mayChange: boolean;
  readonly onAsk: (what: "change" | "retire" | "test") => void;
}

function Row({ rule, mayChange, onAsk }: RowProps) {
  const { title, rule: name, version, author, created_at, when, require } = rule;
  const end = endText(require);
  return (
    <li className="grid gap-1.5 px-4 py-3.5 text-sm sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="min-w-0 font-medium wrap-anywhere">{visible(title)}</span>
        <code className="id text-muted">{name}</code>
        {require.four_eyes ? <Badge tone="info">four eyes</Badge> : null}
        {mayChange ? (
          <span className="flex flex-wrap gap-1.5 sm:ml-auto">
            <Button size="small" onClick={() => onAsk("test")}>
              Test…
            </Button>
            <Button size="small" onClick={() => onAsk("change")}>
              Change…
            </Button>
            <Button size="small" onClick={() => onAsk("retire")}>
              Retire…
            </Button>
          </span>
        ) : null}
      </div>
      <p className="wrap-anywhere">{conditionText(when)}</p>
      <p className="wrap-anywhere">
        <span className="text-muted">Approved by </span>
        <StagesText stages={require.stages} />.
      </p>
      {end === null ? null : <p>{end}</p>}
      <p className="text-muted">
        Version {version} by {author.name} <RelativeTime time={created_at} />
      </p>
    </li>
  );
}

interface OneProps {
  readonly rule: Rule;
  readonly onClose: () => void;
}

function Retire({ rule, onClose }: OneProps) {
  const retire = useChange(retireRule, ["/v1/approvals/settings/rules"]);
  const onSuccess = (): void => {
    toast("Rule retired.");
    onClose();
  };
  return (
    <FormDialog
      title={`Retire ${rule.title}`}
      word="Retire it"
      kind="danger"
      change={retire}
      onSubmit={() => retire.mutate(rule.rule, { onSuccess })}
      onClose={onClose}
    >
      <p>
        From now on it asks nobody. Approvals that wait keep what it demanded, and for a day approvals show that you
        retired it.
      </p>
    </FormDialog>
  );
}

function Test({ rule, onClose }: OneProps) {
  const test = useChange(testRule);
  const footer = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button kind="primary" busy={test.isPending} onClick={() => test.mutate({ rule: rule.rule })}>
        Test on past tasks
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Test ${rule.title}`} footer={footer} wide>
      <div className="grid gap-4 text-sm">
        <p>Which of the latest tasks it would have put before people. Nothing changes.</p>
        {test.error ? <ErrorState error={test.error} /> : null}
        {test.data ? <RuleTestView test={test.data} /> : null}
      </div>
    </Dialog>
  );
}
