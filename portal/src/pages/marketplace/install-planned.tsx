import type { PlannedPart } from "../../api/installs.ts";
import { visible } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { partWords } from "./words.ts";

const actions: Readonly<Record<PlannedPart["action"], readonly [word: string, tone: Tone]>> = {
  create: ["new", "info"],
  change: ["changes", "warn"],
  keep: ["stays", "neutral"],
  remove: ["is left out", "warn"],
};

/** What an update would do to each part; those that stay are only counted. */
export function PlannedParts({ parts }: { readonly parts: readonly PlannedPart[] }) {
  const moving = parts.filter(({ action }) => action !== "keep");
  const kept = parts.length - moving.length;
  return (
    <>
      <ul
        aria-label="Parts that change"
        className="grid gap-px overflow-hidden rounded-md border border-line bg-line empty:hidden"
      >
        {moving.map(({ kind, name, file, action, permitted, permission }) => (
          <li key={`${kind} ${name} ${file}`} className="grid gap-1 bg-raised px-3 py-2">
            <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="min-w-0 wrap-anywhere">
                <span className="text-muted">{partWords[kind] ?? kind}</span>{" "}
                <span className="font-medium">{visible(name)}</span>
              </span>
              <Badge tone={actions[action][1]}>{actions[action][0]}</Badge>
            </span>
            {permitted ? null : (
              <span className="text-bad">Your role lacks the permission {permission} for this part.</span>
            )}
          </li>
        ))}
      </ul>
      {kept > 0 ? (
        <p className="text-muted">{kept === 1 ? "1 part stays as it is." : `${kept} parts stay as they are.`}</p>
      ) : null}
    </>
  );
}
