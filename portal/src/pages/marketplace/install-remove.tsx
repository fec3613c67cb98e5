import { useEffect } from "react";
import { type Install, installPaths, type PartResult, removeInstall, tryRemove } from "../../api/installs.ts";
import { useChange } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { PartResults } from "./install-results.tsx";

const becomes: Readonly<Partial<Record<PartResult["kind"], string>>> = {
  agent: "archived",
  workflow: "archived",
  policy: "retired",
};

/** Uninstalls, after showing what becomes of each part, and what stays and why. */
export function RemoveDialog({ install, onClose }: { readonly install: Install; readonly onClose: () => void }) {
  const look = useChange(tryRemove);
  const change = useChange(removeInstall, installPaths);
  const { mutate: ask } = look;
  useEffect(() => ask(install.install_id), [ask, install.install_id]);
  const submit = (): void =>
    change.mutate(install.install_id, {
      onSuccess: ({ failed }) => {
        toast(
          failed === 0
            ? `${install.title} was uninstalled.`
            : `${counted(failed, "part")} could not be removed; the install says which.`,
          failed === 0 ? "good" : "bad",
        );
        onClose();
      },
    });
  const stays = look.data?.failed ?? 0;
  return (
    <FormDialog
      title={`Uninstall ${visible(install.title)}`}
      word="Uninstall"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
      wide
      ready={look.data !== undefined}
    >
      <p>
        Archives or removes what the install made, each part by a call of its own. Records of what it did stay. What
        would happen now:
      </p>
      {look.error ? <ErrorState error={look.error} /> : null}
      {look.isPending ? <Skeleton lines={4} /> : null}
      {look.data ? (
        <>
          {stays > 0 ? (
            <Notice tone="warn">
              {counted(stays, "part")} would stay. Put right what each one says, and uninstall then; or uninstall now
              and keep {stays === 1 ? "it" : "them"}.
            </Notice>
          ) : null}
          <PartResults results={look.data.results} word={({ kind }) => becomes[kind] ?? "removed"} />
        </>
      ) : null}
    </FormDialog>
  );
}
