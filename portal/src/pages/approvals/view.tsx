import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { CircleCheck, CircleX, ShieldCheck, ShieldX, Undo2, UserRoundPlus } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { digestFits } from "../../lib/digest.ts";
import { usd, visible } from "../../lib/words.ts";
import { RiskBadge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CopyText, DigestText, JsonView, ValueTable } from "../../ui/code.tsx";
import { HeldNotice } from "../../ui/held.tsx";
import { RunLink } from "../../ui/run-link.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import { TrustMeter, TrustParts } from "../../ui/trust.tsx";
import { Behind } from "./behind.tsx";
import { Comments } from "./comments.tsx";
import { Evidence } from "./evidence.tsx";
import { History } from "./history.tsx";
import { SetUpSignIn } from "./set-up-sign-in.tsx";
import { Similar } from "./similar.tsx";
import { type Detail, loweredBy, nameOf, quorumText, undecidedText } from "./words.ts";
import { Work } from "./work.tsx";

/** Whether this browser found the digest to be that of the action that it shows; null: it cannot tell, or does not know yet. */
export function useDigestFits({ action, digest }: Detail): boolean | null {
  const [found, setFound] = useState<{ readonly digest: string; readonly fits: boolean | null } | null>(null);
  useEffect(() => {
    let current = true;
    void digestFits(action, digest).then((fits) => current && setFound({ digest, fits }));
    return () => {
      current = false;
    };
  }, [action, digest]);
  return found?.digest === digest ? found.fits : null;
}

/** Everything that a decision needs. Two columns where its place is wide. */
export function ApprovalView({
  approval,
  fits,
  decision,
}: {
  approval: Detail;
  fits: boolean | null;
  decision: ReactNode;
}) {
  return (
    <div className="@container">
      <div className="grid grid-cols-1 items-start gap-4 @2xl:grid-cols-[minmax(0,3fr)_minmax(17rem,2fr)]">
        <div className="grid grid-cols-1 gap-4">
          <HeldNotice held={approval.held_by} />
          <ActionCard approval={approval} fits={fits} />
          <WhyCard approval={approval} />
          <div className="grid grid-cols-1 gap-4 @2xl:hidden">
            <Work approval={approval} />
            <JudgementCard approval={approval} />
          </div>
          <Similar approval={approval} />
          <Evidence approval={approval} />
          <Comments approval={approval} />
          <History approval={approval} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          {decision}
          <div className="hidden @2xl:block">
            <Work approval={approval} />
          </div>
          <div className="hidden @2xl:block">
            <JudgementCard approval={approval} />
          </div>
          <VotesCard approval={approval} />
          <Behind approval={approval} />
        </div>
      </div>
    </div>
  );
}

/** The same in one column, the decision behind what it is about. */
export function ApprovalColumn({
  approval,
  fits,
  decision,
}: {
  approval: Detail;
  fits: boolean | null;
  decision: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <HeldNotice held={approval.held_by} />
      <ActionCard approval={approval} fits={fits} />
      {decision}
      <Work approval={approval} />
      <WhyCard approval={approval} />
      <JudgementCard approval={approval} />
      <Similar approval={approval} />
      <Evidence approval={approval} />
      <VotesCard approval={approval} />
      <Behind approval={approval} />
      <Comments approval={approval} />
      <History approval={approval} />
    </div>
  );
}

function ActionCard({ approval, fits }: { readonly approval: Detail; readonly fits: boolean | null }) {
  const { action, agent, skill, tool, version, task_id: task, run } = approval;
  return (
    <Card title={approval.status === "pending" ? "What will happen" : "Requested action"}>
      <Facts
        facts={[
          ["Agent", <AgentLink key="agent" agent={agent} version={version} />],
          !skill.includes(":") && ["Skill", skill],
          run !== null && ["Workflow", <RunLink key="run" run={run} />],
          tool !== null && ["Tool", tool],
          ["Environment", approval.environment],
          ["Cost so far", usd(approval.cost_usd)],
          [
            "Task",
            <Link
              key="task"
              to="/tasks/$task"
              params={{ task }}
              className="id font-medium text-accent underline underline-offset-2"
            >
              {task}
            </Link>,
          ],
        ]}
      />
      <h3 className="mt-5 border-b border-line pb-1.5 text-sm font-semibold">
        {tool === null ? "Input" : "Arguments"}
      </h3>
      <ValueTable value={action.arguments} label={tool === null ? "Input" : "Arguments"} />
      <div className="mt-3 grid grid-cols-1 gap-2">
        <JsonView value={action} label="Exactly, as JSON" />
        <DigestLine approval={approval} fits={fits} />
      </div>
    </Card>
  );
}

function AgentLink({ agent, version }: { readonly agent: string; readonly version: number }) {
  return (
    <span>
      <Link to="/agents/$agent" params={{ agent }} className="font-medium text-accent underline underline-offset-2">
        {agent}
      </Link>
      , version {version}
    </span>
  );
}

function DigestLine({
  approval: { digest, digest_matches, status },
  fits,
}: {
  readonly approval: Detail;
  readonly fits: boolean | null;
}) {
  const wrong = !digest_matches || fits === false;
  const Icon = wrong ? ShieldX : ShieldCheck;
  const said = wrong
    ? `does not fit what is stored now${status === "pending" ? ": this cannot be decided. Have the task cancelled and asked for again" : ""}.`
    : `${fits === true ? "fits what is shown, checked by your browser." : "fits what is stored."}${status === "pending" ? " Your decision is for exactly this." : ""}`;
  return (
    <div className={clsx("flex gap-2 text-sm", wrong ? "text-bad" : "text-muted")}>
      <Icon className="mt-1.5 size-4 shrink-0" aria-hidden="true" />
      <p className="min-w-0">
        Digest <DigestText digest={digest} label="digest" /> {said}
      </p>
    </div>
  );
}

function WhyCard({ approval }: { readonly approval: Detail }) {
  const open = approval.status === "pending";
  return (
    <Card title={open ? "Why approval is needed" : "Why approval was needed"}>
      <ul className="grid gap-1.5 text-sm">
        {approval.reasons.map((reason) => (
          <li key={reason} className="flex gap-2">
            <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-line-strong" />
            {visible(reason)}
          </li>
        ))}
      </ul>
      {open ? (
        <p className="mt-3 border-t border-line pt-3 text-sm text-muted">
          {undecidedText(approval)}
          {approval.expires_at ? (
            <>
              {" "}
              That is <RelativeTime time={approval.expires_at} />.
            </>
          ) : null}
        </p>
      ) : null}
    </Card>
  );
}

/** Risk and trust, one beside the other in mind: what is at stake, and how far it can be trusted. */
function JudgementCard({ approval }: { readonly approval: Detail }) {
  const { risk, risk_assessment: assessment, trust } = approval;
  const reasons =
    assessment.reasons.length > 0 ? assessment.reasons : ["Nothing in this action is graded above harmless."];
  const lower = loweredBy(approval);
  return (
    <Card title="Risk and trust">
      <RiskBadge level={risk} reasons={reasons} />
      {lower ? <p className="mt-2 text-xs text-muted">{lower}</p> : null}
      <div className="mt-4 border-t border-line pt-4">
        <TrustMeter score={trust.score} low={trust.low} high={trust.high} large />
        <p className="mt-2 text-xs text-muted">Probability that a reviewer accepts the outcome, from judged cases.</p>
        <details className="mt-2">
          <summary className="w-fit rounded py-1 text-sm text-muted hover:text-ink">What moves the score</summary>
          <div className="mt-2">
            <TrustParts parts={trust.parts} />
          </div>
        </details>
      </div>
    </Card>
  );
}

function VotesCard({ approval }: { readonly approval: Detail }) {
  const votes: Moment[] = approval.votes.map(
    ({ voter, on_behalf_of: behalf, vote, reason, not_counted_reason: uncounted, at }) => ({
      key: `vote ${voter.id} ${at}`,
      time: at,
      tone: uncounted ? "neutral" : vote === "approve" ? "good" : "bad",
      icon: vote === "approve" ? <CircleCheck className="size-4" /> : <CircleX className="size-4" />,
      title: `${vote === "approve" ? "Approved" : "Rejected"} by ${nameOf(voter)}${behalf ? ` on behalf of ${nameOf(behalf)}` : ""}${uncounted ? " (not counted)" : ""}`,
      children: (
        <>
          {uncounted ? <p className="text-sm text-muted">{uncounted}</p> : null}
          {reason ? <Quote text={reason} /> : null}
        </>
      ),
    }),
  );
  const handed: Moment[] = approval.delegations.map(({ from, to, reason, at }) => ({
    key: `handed ${from.id} ${at}`,
    time: at,
    tone: "info",
    icon: <UserRoundPlus className="size-4" />,
    title: `Delegated by ${nameOf(from)} to ${nameOf(to)}`,
    children: <Quote text={reason} />,
  }));
  const back: Moment[] =
    approval.status === "changes_requested"
      ? [
          {
            key: "back",
            time: approval.decided_at,
            tone: "warn",
            icon: <Undo2 className="size-4" />,
            title: `Changes requested by ${approval.decided_by?.name ?? "somebody"}`,
            children: approval.reason ? <Quote text={approval.reason} /> : null,
          },
        ]
      : [];
  const asked: Moment = {
    key: "asked",
    time: approval.created_at,
    tone: "neutral",
    title: `Requested by ${nameOf(approval.requester)}`,
  };
  const moments = [
    asked,
    ...[...votes, ...handed, ...back].sort((a, b) => Date.parse(a.time ?? "") - Date.parse(b.time ?? "")),
  ];
  return (
    <Card title="Votes" aside={<Quorum approvals={approval.approvals} approvers={approval.approvers} />}>
      <p className="mb-4 text-sm text-muted">
        {quorumText(approval)} {approval.could_decide.count === 0 ? null : <SetUpSignIn approval={approval} />}
      </p>
      <Timeline moments={moments} label="Votes" />
      <p className="mt-4 text-xs text-muted">
        Approval <CopyText text={approval.approval_id} label="approval id" />
      </p>
    </Card>
  );
}

/** How many people it takes as places, and how many have taken one. */
function Quorum({ approvals, approvers }: { readonly approvals: number; readonly approvers: number }) {
  return (
    <span className="flex items-center gap-1.5 text-sm text-muted">
      {approvers <= 6
        ? Array.from({ length: approvers }, (_, place) => place).map((place) => (
            <span
              key={place}
              aria-hidden="true"
              className={clsx(
                "size-3 rounded-full border-2",
                place < approvals ? "border-good bg-good" : "border-line-strong",
              )}
            />
          ))
        : null}
      {approvals} of {approvers}
    </span>
  );
}

function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-muted">
      {visible(text)}
    </blockquote>
  );
}
