import { clsx } from "clsx";
import { CircleHelp, Hand, type LucideIcon, OctagonPause, ShieldX, Wallet } from "lucide-react";
import { exactly } from "../lib/time.ts";
import { visible } from "../lib/words.ts";
import { Notice } from "./states.tsx";
import { RelativeTime } from "./time.tsx";

type Kind = "kill_switch" | "gate" | "budget" | "pause" | "question" | "approval" | "policy";

/** What of a hold is shown; `url` is the page where people see to it. */
interface Hold {
  readonly kind: Kind;
  readonly text: string;
  readonly since: string | null;
  readonly lifted_by: string;
  readonly remedy: string;
  readonly url: string;
}

const icons: Readonly<Record<Kind, LucideIcon>> = {
  kill_switch: OctagonPause,
  gate: ShieldX,
  budget: Wallet,
  pause: OctagonPause,
  question: CircleHelp,
  approval: Hand,
  policy: ShieldX,
};

const words: Readonly<Record<Kind, string>> = {
  kill_switch: "Kill switch",
  gate: "Evaluation gate",
  budget: "Budget",
  pause: "Paused",
  question: "Question",
  approval: "Approval",
  policy: "Policy",
};

/** The path of the portal's page where people see to it: the address may name another host than the one that this browser uses. */
const pathOf = ({ url }: Hold): string => {
  const { pathname, search } = new URL(url, location.origin);
  return `${pathname}${search}`;
};

/** What holds the work of a page, since when, what to do and where. */
export function HeldNotice({ held }: { readonly held: Hold | null }) {
  if (held === null) return null;
  const Icon = icons[held.kind];
  const asks = held.kind === "approval" || held.kind === "question"; // its page is where people answer
  const here = pathOf(held) === location.pathname;
  return (
    <Notice tone="warn">
      <div className="flex items-start gap-2.5">
        <Icon className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <div className="grid min-w-0 gap-1">
          <p className="wrap-anywhere">
            <span className="font-semibold">{words[held.kind]}.</span> {visible(held.text)}
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {held.since === null ? null : (
              <span title={exactly(held.since)}>
                Since <RelativeTime time={held.since} />.{" "}
              </span>
            )}
            {asks ? null : `${visible(held.remedy)} `}Needs <code className="id">{held.lifted_by}</code>.
          </p>
          {here ? null : (
            <p>
              <a href={pathOf(held)} className="font-medium text-accent underline underline-offset-2">
                {held.kind === "approval" ? "Open approval" : held.kind === "question" ? "Open question" : "See to it"}
              </a>
            </p>
          )}
        </div>
      </div>
    </Notice>
  );
}

/** The same in a row of a list: what holds it, in two lines. */
export function HeldLine({ held, className }: { readonly held: Hold | null; readonly className?: string }) {
  if (held === null) return null;
  const Icon = icons[held.kind];
  return (
    <span className={clsx("flex items-start gap-1 text-xs text-warn", className)} title={visible(held.text)}>
      <Icon className="mt-0.5 size-3 shrink-0" aria-hidden="true" />
      <span className="line-clamp-2 min-w-0 wrap-anywhere">{visible(held.text)}</span>
    </span>
  );
}
