import { Link } from "@tanstack/react-router";
import { CircleCheck, Eye } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { confirmContent, readContent } from "../../api/accountability.ts";
import { readVersion as readAgentVersion } from "../../api/agents.ts";
import { asProblem } from "../../api/problem.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { readVersion as readWorkflowVersion } from "../../api/workflows.ts";
import { when } from "../../lib/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock, DigestText } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Person } from "./person.tsx";

type Content = Schema<"AccountableContent">;

interface SecondLookProps {
  readonly object: string;
  /** Whether what it says stands beside this already. */
  readonly shown?: boolean;
}

/** Whether a second person has reviewed content; opened, also who its authors are. A second person confirms it here. */
export function SecondLook({ object, shown = false }: SecondLookProps) {
  const [open, setOpen] = useState(false);
  const [element, isSeen] = useSeen<HTMLDetailsElement>();
  const mayRead = useMay("governance:read");
  const reading = { every: open ? 30_000 : (false as const), when: open || (isSeen && mayRead) };
  const { data, error } = useLive(readContent(object), reading);
  return (
    <details ref={element} className="w-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">
        Authors and confirmation {data === undefined ? null : <State content={data} />}
      </summary>
      {open ? <Opened content={data} error={error} shown={shown} /> : null}
    </details>
  );
}

/** Whether an element was in sight once: a long list reads only what is looked at. */
function useSeen<E extends Element>() {
  const element = useRef<E>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, isSeen] as const;
}

/** Nobody is excluded where there are neither authors nor a confirmation. */
const isOpenToAll = ({ deciders, confirmed }: Content): boolean => deciders.length === 0 && confirmed === null;

function State({ content }: { readonly content: Content }) {
  if (isOpenToAll(content)) return null;
  if (content.confirmed === null) return <Badge tone="warn">Not confirmed</Badge>;
  return <Badge tone="good">Confirmed by {content.confirmed.confirmed_by_name}</Badge>;
}

interface OpenedProps {
  readonly content: Content | undefined;
  readonly error: unknown;
  readonly shown: boolean;
}

function Opened({ content, error, shown }: OpenedProps) {
  if (error && asProblem(error).status === 404)
    return <p className="mt-1 text-sm text-muted">Its authors are not recorded here.</p>;
  if (error) return <ErrorState error={asProblem(error)} />;
  if (content === undefined) return <Skeleton lines={2} />;
  const { object, deciders, confirmed } = content;
  return (
    <div className="mt-1 grid gap-3 rounded-md border border-line px-3 py-3 text-sm">
      {isOpenToAll(content) ? <p className="text-muted">Nobody is excluded from approving because of it.</p> : null}
      {confirmed === null ? null : <Confirmed by={confirmed} />}
      {deciders.length === 0 ? null : (
        <>
          {confirmed === null ? null : <p>Still excluded because of what it is built on:</p>}
          <ul aria-label="Authors" className="grid gap-1.5">
            {deciders.map((person) => (
              <li key={`${person.member.id} ${person.how} ${person.of}`}>
                <Person person={person} within={object} />
              </li>
            ))}
          </ul>
        </>
      )}
      {confirmed === null && deciders.length > 0 ? <Unconfirmed content={content} shown={shown} /> : null}
    </div>
  );
}

const ways = {
  confirmed: "Confirmed",
  deployed: "Reviewed and deployed",
  published: "Reviewed and published",
} as const;

function Confirmed({ by }: { readonly by: Schema<"Confirmation"> }) {
  return (
    <p className="flex gap-2">
      <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden="true" />
      <span>
        {ways[by.how]} by {by.confirmed_by_name} on {when(by.confirmed_at)}. Its authors may approve its actions again.
      </span>
    </p>
  );
}

function Unconfirmed({ content, shown }: { readonly content: Content; readonly shown: boolean }) {
  const { object, digest, may_confirm: may } = content;
  const change = useChange(confirmContent, ["/v1/governance/contents/{object}"]);
  const confirm = (): void => change.mutate({ object, digest }, { onSuccess: () => toast(`${object} is confirmed.`) });
  return (
    <div className="grid gap-2">
      <p className="flex gap-2">
        <Eye className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <span>No second person has confirmed it here, so its authors cannot approve its actions.</span>
      </p>
      {shown ? null : <WhatItSays content={content} />}
      <p className="text-muted">
        Digest <DigestText digest={digest} label="digest" />
      </p>
      {may.allowed ? (
        <>
          <p>Read what it says. If you agree with it, confirm it: then its authors may approve its actions.</p>
          <div>
            <Button
              kind="primary"
              size="small"
              busy={change.isPending}
              aria-label={`Confirm ${object}`}
              onClick={confirm}
            >
              Confirm
            </Button>
          </div>
        </>
      ) : (
        <p className="text-muted">{may.reason}</p>
      )}
      {change.error ? <ErrorState error={change.error} /> : null}
    </div>
  );
}

const linked = "w-fit font-medium text-accent underline underline-offset-2";

/** What content says: a version here, a trigger or schedule on its page. Of the rest there is no page, only the response of the interface. */
function WhatItSays({ content: { path } }: { readonly content: Content }) {
  const [, group, name = "", part, version] =
    /^\/v1\/(agents|workflows)\/([^/]+)\/(versions|triggers|schedules)(?:\/(\d+))?$/.exec(path) ?? [];
  if (version !== undefined) {
    const Version = group === "agents" ? AgentVersion : WorkflowVersion;
    return <Version name={name} version={Number(version)} />;
  }
  if (part === "schedules")
    return (
      <Link to="/agents/$agent" params={{ agent: name }} search={{ tab: "schedules" }} className={linked}>
        See it among the schedules of {name}
      </Link>
    );
  if (part === "triggers")
    return (
      <Link to="/workflows/$workflow" params={{ workflow: name }} search={{ tab: "triggers" }} className={linked}>
        See it among the triggers of {name}
      </Link>
    );
  return (
    <a href={path} target="_blank" rel="noreferrer" className={linked}>
      Read it (JSON)
    </a>
  );
}

interface VersionProps {
  readonly name: string;
  readonly version: number;
}

function AgentVersion({ name, version }: VersionProps) {
  const { data, error } = useLive(readAgentVersion(name, version));
  return <Definition text={data && JSON.stringify(data.definition, null, 2)} error={error} />;
}

function WorkflowVersion({ name, version }: VersionProps) {
  const { data, error } = useLive(readWorkflowVersion(name, version));
  return <Definition text={data && (data.source ?? JSON.stringify(data.definition, null, 2))} error={error} />;
}

function Definition({ text, error }: { readonly text: string | undefined; readonly error: unknown }) {
  if (error) return <ErrorState error={asProblem(error)} />;
  if (text === undefined) return <Skeleton lines={4} />;
  return (
    <details className="min-w-0" open>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">What it says</summary>
      <CodeBlock code={text} label="What it says" className="mt-1.5" />
    </details>
  );
}
