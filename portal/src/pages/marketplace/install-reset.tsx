import { useEffect, useState } from "react";
import { type Install, installPaths, resetInstall, tryReset } from "../../api/installs.ts";
import { useChange } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { PartResults } from "./install-results.tsx";

/** Makes parts as in the bundle again, after showing which. */
export function ResetDialog({ install, onClose }: { readonly install: Install; readonly onClose: () => void }) {
  const { install_id, parts } = install;
  const changed = parts.filter(({ drift }) => drift === "changed");
  const [onlyMissing, setOnlyMissing] = useState(install.state === "incomplete");
  const look = useChange(tryReset);
  const change = useChange(resetInstall, installPaths);
  const { mutate: ask } = look;
  useEffect(() => ask({ install: install_id, onlyMissing }), [ask, install_id, onlyMissing]);
  const submit = (): void =>
    change.mutate(
      { install: install_id, onlyMissing },
      {
        onSuccess: ({ succeeded, failed }) => {
          toast(
            failed === 0
              ? `${counted(succeeded, "part")} made again.`
              : `${counted(failed, "part")} could not be made.`,
            failed === 0 ? "good" : "bad",
          );
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Reset ${visible(install.title)}`}
      word="Reset"
      change={change}
      onSubmit={submit}
      onClose={onClose}
      wide
      ready={!look.isPending && (look.data?.results.length ?? 0) > 0}
    >
      <p>
        Makes drafts of version {install.version} again where parts were changed, failed or are gone. What is deployed
        stays deployed.
      </p>
      {changed.length > 0 ? (
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={onlyMissing}
            onChange={(event) => setOnlyMissing(event.currentTarget.checked)}
          />
          <span>Leave changed parts alone: only make what failed or is gone</span>
        </label>
      ) : null}
      {look.error ? <ErrorState error={look.error} /> : null}
      {look.isPending ? <Skeleton lines={3} /> : null}
      {look.data && !look.isPending ? (
        look.data.results.length === 0 ? (
          <p className="text-muted">Nothing would be made: every part is as installed.</p>
        ) : (
          <PartResults results={look.data.results} word={() => "made again"} />
        )
      ) : null}
    </FormDialog>
  );
}
