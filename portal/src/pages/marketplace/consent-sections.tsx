import { Ban, Hammer, KeyRound, type LucideIcon, ShieldAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { InstallPreview, PlannedPart } from "../../api/installs.ts";
import { counted, visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyText, DigestText } from "../../ui/code.tsx";
import { Notice } from "../../ui/states.tsx";
import { PublisherMark, ScanBadge } from "./badges.tsx";
import { PermissionGroups } from "./permissions.tsx";
import { outOfReach } from "./reach.ts";
import { partWords } from "./words.ts";

/** What somebody consents to, in the order in which it matters. */
export function ConsentSections({ preview }: { readonly preview: InstallPreview }) {
  return (
    <>
      <Section icon={KeyRound} title="Who asks">
        <Asker preview={preview} />
      </Section>
      <Section icon={ShieldAlert} title="What it will be able to do">
        <PermissionGroups permissions={preview.permissions} />
      </Section>
      <Section icon={Ban} title="What it cannot reach">
        <Sentences texts={outOfReach(preview.kind, preview.permissions)} />
        {preview.limits.length === 0 ? null : (
          <>
            <p className="mt-3 mb-1.5 font-medium">What it cannot do, as its publisher says</p>
            <Sentences texts={preview.limits.map(visible)} />
          </>
        )}
      </Section>
      <Section icon={Hammer} title={`What it will make here (${preview.parts.length})`}>
        <p className="mb-2 text-muted">{begins[preview.kind]}</p>
        {preview.parts.length === 0 ? null : <Parts parts={preview.parts} />}
        <MissingConnections preview={preview} />
      </Section>
    </>
  );
}

/** How what is installed begins, by kind. */
const begins: Readonly<Record<InstallPreview["kind"], string>> = {
  agent: "Agents and policies begin as drafts: nothing of it runs until you deploy it.",
  workflow: "It begins as a draft: nothing of it runs until you publish it.",
  tool_set: "Tools go into the agent's draft: no live version has them until you deploy one.",
  policy_pack: "Policies begin as drafts: they decide nothing until you activate them.",
  dataset: "Nothing of it runs: evaluations use it where you name it.",
  scorer: "Nothing of it runs: evaluations use it where you name it.",
};

interface SectionProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
}

function Section({ icon: Icon, title, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-line pb-5">
      <h3 id={id} className="flex items-center gap-2 text-base font-semibold">
        <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" /> {title}
      </h3>
      <div>{children}</div>
    </section>
  );
}

function Asker({ preview: { publisher, key_change, scan } }: { readonly preview: InstallPreview }) {
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">
          <PublisherMark publisher={publisher} />
        </span>
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className="text-muted">key</span>{" "}
          {key_change === "same" ? (
            <DigestText digest={publisher.key_id} label="key id" />
          ) : (
            <CopyText text={publisher.key_id} label="key id" />
          )}
        </span>
        <ScanBadge scan={scan} />
      </p>
      <KeyText change={key_change} own={publisher.own} />
    </div>
  );
}

function KeyText({ change, own }: { readonly change: InstallPreview["key_change"]; readonly own: boolean }) {
  if (own) return <p className="text-muted">This organization signed it itself.</p>;
  if (change === "first")
    return (
      <Notice tone="warn">
        The first install from this publisher: with it your organization accepts this key. A name is no proof. Compare
        the key with the publisher over another channel, unless you already know it.
      </Notice>
    );
  if (change === "rotated")
    return (
      <Notice tone="warn">
        The publisher signs with a new key. The key that your organization accepted vouches for it; installing accepts
        the new one.
      </Notice>
    );
  return <p className="text-muted">The key that your organization accepted before.</p>;
}

function Sentences({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {texts.map((text) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
}

const actions: Readonly<Record<PlannedPart["action"], string>> = {
  create: "new",
  change: "changed",
  keep: "here already",
  remove: "removed",
};

function Parts({ parts }: { readonly parts: readonly PlannedPart[] }) {
  return (
    <ul aria-label="Parts" className="divide-y divide-line rounded-md border border-line">
      {parts.map(({ kind, name, file, action, operation, taken, permitted }) => (
        <li key={`${operation} ${name} ${file}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
          <span className="w-36 shrink-0 text-muted">{partWords[kind]}</span>
          <code className="id min-w-0">{visible(name)}</code>
          <span className="ml-auto flex flex-wrap gap-1.5">
            {taken ? <Badge tone="bad">name taken</Badge> : null}
            {permitted ? null : <Badge tone="bad">not yours to make</Badge>}
            <Badge tone={action === "create" ? "accent" : "neutral"}>{actions[action]}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}

function MissingConnections({ preview: { connections } }: { readonly preview: InstallPreview }) {
  const missing = connections.filter(({ present }) => !present).map(({ name }) => name);
  if (missing.length === 0) return null;
  return (
    <div className="mt-3">
      <Notice tone="warn">
        This environment lacks {counted(missing.length, "connection")} that it names:{" "}
        <code className="id">{missing.map(visible).join(", ")}</code>. It can be installed now, and works once they are
        there.
      </Notice>
    </div>
  );
}
