import { readTrust } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";
import type { Detail } from "./words.ts";

const channels: Readonly<Record<string, string>> = {
  evaluations: "Test sets",
  runs: "Finished tasks",
  approvals: "Decisions of people",
  groundedness: "Support in sources",
};

const amount = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** What the trust in this skill of this version rests on: how often it went well and how often not, by where that was seen. */
export function Evidence({ approval: { agent, skill, version } }: { readonly approval: Detail }) {
  const { data, error } = useLive(readTrust(agent, version));
  const of = data?.skills.find((each) => each.skill === skill);
  if (error !== null || (data !== undefined && of === undefined)) return null;
  const seen = of?.evidence.filter(({ items }) => items > 0) ?? [];
  return (
    <Card title="Evidence" aside={<span className="text-xs text-muted">what the trust rests on</span>}>
      {of === undefined ? <Skeleton lines={3} /> : null}
      {of !== undefined && seen.length === 0 ? (
        <p className="text-sm text-muted">
          None yet: no test set ran with this version, and no task of this skill has ended. The score says what can be said without.
        </p>
      ) : null}
      <ul className="grid gap-3 text-sm">
        {seen.map(({ channel, items, successes, failures }) => (
          <li key={channel} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
            <span>{channels[channel] ?? channel}</span>
            <span className="text-muted">
              {amount(items)} seen; they count as {amount(successes)} good, {amount(failures)} bad
            </span>
            <Balance good={successes} bad={failures} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Good and bad as two parts of a bar. */
function Balance({ good, bad }: { readonly good: number; readonly bad: number }) {
  const share = good + bad === 0 ? 0 : good / (good + bad);
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="col-span-2 h-1.5 w-full rounded-full">
      <rect width="100" height="4" className="fill-bad" opacity="0.45" />
      <rect width={share * 100} height="4" className="fill-good" />
    </svg>
  );
}
