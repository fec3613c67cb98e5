import { useEffect, useState } from "react";
import { type Install, type InstallPreview, installPaths, previewInstall, updateInstall } from "../../api/installs.ts";
import { listListingVersions } from "../../api/marketplace.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { PlannedParts } from "./install-planned.tsx";
import { PermissionChanges } from "./permissions.tsx";
import { partWords } from "./words.ts";

interface UpdateProps {
  readonly install: Install;
  readonly target: NonNullable<Install["update"]>;
  readonly onClose: () => void;
}

/** Updates to a newer version, after showing what it asks for in addition and what it changes. */
export function UpdateDialog({ install, target, onClose }: UpdateProps) {
  const { install_id, listing_id, title } = install;
  const look = useChange(previewInstall);
  const change = useChange(updateInstall, installPaths);
  const [discard, setDiscard] = useState(false);
  const { mutate: ask } = look;
  const asked = { listing: listing_id, install: install_id, version: target.version };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the dialog opens, and again where the consent was to something else
  useEffect(() => ask(asked), [ask, target.version]);
  const preview = look.data;
  const submit = (): void => {
    if (preview === undefined) return;
    change.mutate(
      {
        install: install_id,
        digest: preview.digest,
        consent: { permissions: preview.permissions_digest, publisher_key: preview.publisher.key_id },
        ...(discard ? { discard_local_changes: true } : {}),
      },
      {
        onSuccess: ({ failed }) => {
          toast(
            failed === 0
              ? `${title} is version ${target.version} now, as drafts.`
              : `${counted(failed, "part")} could not be updated; the install says which.`,
            failed === 0 ? "good" : "bad",
          );
          onClose();
        },
        onError: ({ code }) => {
          if (code === "consent_missing") ask(asked);
        },
      },
    );
  };
  const lost = preview === undefined ? [] : overwritten(install, preview);
  const blocked = preview?.faults.some(({ code }) => code !== "local_changes") ?? true;
  return (
    <FormDialog
      title={`Update ${visible(title)} to ${target.version}`}
      word={preview && adds(preview) ? "Agree and update" : "Update"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
      wide
      ready={!blocked}
    >
      {look.error ? <ErrorState error={look.error} /> : null}
      {preview === undefined ? (
        look.error ? null : (
          <Skeleton lines={6} />
        )
      ) : (
        <Preview install={install} preview={preview} />
      )}
      {lost.length > 0 ? <LocalChanges names={lost} onDiscard={setDiscard} /> : null}
    </FormDialog>
  );
}

const adds = ({ difference }: InstallPreview): boolean =>
  difference !== null && difference.added.length + difference.changed.length > 0;

/** Parts that were changed here and that the update changes, too; other changes of one's own stay. */
function overwritten({ parts }: Install, preview: InstallPreview): string[] {
  const moving = new Set(
    preview.parts.flatMap(({ kind, name, action }) => (action === "change" ? [`${kind} ${name}`] : [])),
  );
  return parts.flatMap(({ kind, name, drift }) =>
    drift === "changed" && moving.has(`${kind} ${name}`) ? [`${partWords[kind]} ${visible(name)}`] : [],
  );
}

function Preview({ install, preview }: { readonly install: Install; readonly preview: InstallPreview }) {
  const { difference, parts, faults, key_change, publisher, connections } = preview;
  const said = faults.filter(({ code }) => code !== "local_changes");
  const missing = connections.flatMap(({ name, present }) => (present ? [] : [name]));
  return (
    <>
      {said.map(({ code, detail }) => (
        <Notice key={code} tone="bad">
          {visible(detail)}
        </Notice>
      ))}
      {key_change === "rotated" ? (
        <Notice tone="warn">
          {visible(publisher.name)} signs with a new key. The key that was accepted here vouches for it.
        </Notice>
      ) : null}
      <section aria-label="What it asks for" className="grid gap-2">
        <h3 className="text-base font-semibold">What it asks for</h3>
        {difference === null ? null : <PermissionChanges difference={difference} />}
      </section>
      {missing.length === 0 ? null : (
        <Notice>
          Connections that are not here yet: {missing.join(", ")}. It can be updated all the same; adding them is the
          first step afterwards.
        </Notice>
      )}
      <Changes install={install} version={preview.version} />
      <section aria-label="What changes here" className="grid gap-2">
        <h3 className="text-base font-semibold">What changes here</h3>
        <PlannedParts parts={parts} />
        <p className="text-muted">Parts are changed as drafts. What is deployed or active stays as it is.</p>
      </section>
    </>
  );
}

/** What is new, as the publisher says: of every version after the one that is installed. */
function Changes({ install, version }: { readonly install: Install; readonly version: string }) {
  const { data } = useLive(listListingVersions(install.listing_id));
  const newest = data?.data.findIndex((one) => one.version === version) ?? -1;
  const present = data?.data.findIndex((one) => one.version === install.version) ?? -1;
  const told = (newest === -1 ? [] : (data?.data.slice(newest, present === -1 ? newest + 1 : present) ?? [])).filter(
    ({ changes }) => changes !== null,
  );
  if (told.length === 0) return null;
  return (
    <section aria-label="What is new" className="grid gap-2">
      <h3 className="text-base font-semibold">What is new</h3>
      {told.map(({ version, changes }) => (
        <p key={version} className="whitespace-pre-wrap wrap-anywhere">
          <span className="font-medium">{version}:</span> {visible(changes ?? "")}
        </p>
      ))}
    </section>
  );
}

function LocalChanges({
  names,
  onDiscard,
}: {
  readonly names: readonly string[];
  readonly onDiscard: (discard: boolean) => void;
}) {
  return (
    <Notice tone="warn">
      <p>
        <span className="font-semibold">Changed here since the install:</span> {names.join(", ")}. The update takes
        their place.
      </p>
      <label className="mt-2 flex items-start gap-2">
        <input
          type="checkbox"
          required
          className="mt-0.5 size-4 accent-accent"
          onChange={(event) => onDiscard(event.currentTarget.checked)}
        />
        <span>Discard these changes</span>
      </label>
    </Notice>
  );
}
