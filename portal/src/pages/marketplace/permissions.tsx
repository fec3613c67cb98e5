import { TriangleAlert } from "lucide-react";
import type { ListingPermission } from "../../api/marketplace.ts";
import { visible } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { JsonView } from "../../ui/code.tsx";
import type { Difference } from "./difference.ts";
import { levels } from "./words.ts";

/** What a bundle asks for, in sentences: what deserves most care first. `exact`: with the values behind them. */
export function PermissionGroups({
  permissions,
  exact = false,
}: {
  readonly permissions: readonly ListingPermission[];
  readonly exact?: boolean;
}) {
  if (permissions.length === 0) return <p className="text-sm text-muted">It asks for nothing.</p>;
  return (
    <div className="grid gap-4">
      {levels.map(({ level, title, tone }) => {
        const those = permissions.filter((one) => one.level === level);
        if (those.length === 0) return null;
        return (
          <div key={level} className="grid gap-2">
            <h3 className="flex items-center gap-2 text-sm font-medium">
              {level === "high" ? <TriangleAlert className="size-4 text-bad" aria-hidden="true" /> : null}
              {title} <Badge tone={tone}>{level}</Badge>
            </h3>
            <ul className="grid gap-1.5 text-sm">
              {those.map((one) => (
                <Permission key={one.id} permission={one} exact={exact} />
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

const edges = { high: "border-bad", elevated: "border-warn", low: "border-line-strong" };

/** One permission. `exact`: with the values behind its sentence. */
export function Permission({
  permission: { id, level, text, value },
  exact = false,
}: {
  readonly permission: ListingPermission;
  readonly exact?: boolean;
}) {
  return (
    <li className={`grid gap-0.5 border-l-2 pl-3 ${edges[level]}`}>
      <span className="wrap-anywhere">{visible(text)}</span>
      {exact ? <JsonView value={{ id, ...value }} label="Exactly" /> : null}
    </li>
  );
}

/** What is asked for in addition, no longer, or otherwise than before. */
export function PermissionChanges({ difference: { added, removed, changed } }: { readonly difference: Difference }) {
  if (added.length + removed.length + changed.length === 0)
    return <p className="text-sm text-muted">It asks for the same as before.</p>;
  return (
    <div className="grid gap-3 text-sm">
      <Changes title="In addition" permissions={added} />
      {changed.length > 0 ? (
        <div className="grid gap-1.5">
          <h3 className="font-medium">Changed</h3>
          <ul className="grid gap-1.5">
            {changed.map(({ before, after }) => (
              <li key={after.id} className={`grid gap-0.5 border-l-2 pl-3 ${edges[after.level]}`}>
                <span className="wrap-anywhere">{visible(after.text)}</span>
                <span className="text-muted wrap-anywhere">
                  before: <del>{visible(before.text)}</del>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Changes title="No longer" permissions={removed} />
    </div>
  );
}

function Changes({
  title,
  permissions,
}: {
  readonly title: string;
  readonly permissions: readonly ListingPermission[];
}) {
  if (permissions.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <ul className="grid gap-1.5">
        {permissions.map((one) => (
          <Permission key={one.id} permission={one} />
        ))}
      </ul>
    </div>
  );
}
