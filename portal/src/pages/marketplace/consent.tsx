import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type InstallPreview, installListing, installPaths, previewInstall } from "../../api/installs.ts";
import type { ListingDetail } from "../../api/marketplace.ts";
import { useChange } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { ConsentSections } from "./consent-sections.tsx";
import { differenceOf } from "./difference.ts";
import { type Names, OtherNames, TakenNames, TargetChoice } from "./names.tsx";
import { PermissionChanges } from "./permissions.tsx";

/** Refusals that say: what was shown is not what is. */
const outdated = new Set(["consent_missing", "names_taken", "listing_state", "publisher_key_changed"]);

/** The preview for these names. What is shown never changes by itself: only who reads it asks again. */
function usePreview({ listing_id: listing, kind }: ListingDetail, version: string) {
  const [names, setNames] = useState<Names>({});
  const { mutate, data, error } = useChange(previewInstall);
  const asks = kind !== "tool_set" || names.agent !== undefined;
  useEffect(() => {
    if (asks) mutate({ listing, version, ...names });
  }, [mutate, asks, listing, version, names]);
  return { names, setNames, asks, preview: asks ? data : undefined, error };
}

/** Asks whether to install a listing: who asks, what it will be able to do, what it will make. */
export function Consent({ listing, onClose }: { readonly listing: ListingDetail; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [version] = useState(listing.version);
  const { names, setNames, asks, preview, error } = usePreview(listing, version);
  const [before, setBefore] = useState<InstallPreview | null>(null);
  const change = useChange(installListing, [...installPaths, "/v1/agents", "/v1/workflows", "/v1/governance/policies"]);
  const install = (shown: InstallPreview): void =>
    change.mutate(
      {
        listing: shown.listing_id,
        digest: shown.digest,
        consent: { permissions: shown.permissions_digest, publisher_key: shown.publisher.key_id },
        ...names,
      },
      {
        onSuccess: ({ install: made, succeeded, failed }) => {
          if (failed > 0) toast(`${failed} of ${counted(succeeded + failed, "part")} could not be made.`, "warn");
          else toast(`${visible(shown.title)} was installed.`);
          if (made === null) return onClose();
          void navigate({ to: "/marketplace/installs/$install", params: { install: made.install_id }, search: {} });
        },
        onError: ({ code }) => {
          if (!outdated.has(code)) return;
          setBefore(shown);
          setNames({ ...names });
        },
      },
    );
  const close = (): void => {
    if (!change.isPending) onClose();
  };
  const ready = preview !== undefined && isPossible(preview) && !change.isPending;
  const footer = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button
        kind="primary"
        busy={change.isPending}
        disabled={!ready}
        onClick={() => preview !== undefined && install(preview)}
      >
        Install
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} wide title={`Install ${visible(listing.title)} ${version}`} footer={footer}>
      <div className="grid gap-5 text-sm">
        {change.error && !change.isPending ? <Refused change={change.error} before={before} now={preview} /> : null}
        {error ? <ErrorState error={error} onRetry={() => setNames({ ...names })} /> : null}
        <TargetChoice kind={listing.kind} names={names} onNames={setNames} />
        {asks && preview === undefined && !error ? <Waiting /> : null}
        {preview === undefined ? null : (
          <>
            <Faults preview={preview} />
            <TakenNames parts={preview.parts} names={names} onNames={setNames} />
            <ConsentSections preview={preview} />
            <OtherNames parts={preview.parts} names={names} onNames={setNames} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function isPossible({ faults, parts }: InstallPreview): boolean {
  return faults.length === 0 && parts.every(({ taken, permitted }) => !taken && permitted);
}

function Waiting() {
  return (
    <div role="status" className="grid gap-3">
      <span className="text-muted">Working out what it asks for and what it will make …</span>
      <Skeleton lines={6} />
    </div>
  );
}

interface RefusedProps {
  readonly change: Parameters<typeof ErrorState>[0]["error"];
  readonly before: InstallPreview | null;
  readonly now: InstallPreview | undefined;
}

/** Why it was not installed; where what was shown is outdated, what changed since. */
function Refused({ change, before, now }: RefusedProps) {
  return (
    <div className="grid gap-3">
      <ErrorState error={change} />
      {before === null || now === undefined ? null : (
        <Notice tone="warn" live>
          <p className="mb-2 font-medium">Nothing was installed. What changed since you read it:</p>
          <PermissionChanges difference={differenceOf(before.permissions, now.permissions)} />
          {before.digest === now.digest ? null : <p className="mt-2">It is another bundle than before.</p>}
          {before.publisher.key_id === now.publisher.key_id ? null : (
            <p className="mt-2">The publisher signs with another key than before.</p>
          )}
        </Notice>
      )}
    </div>
  );
}

function Faults({ preview: { faults, parts } }: { readonly preview: InstallPreview }) {
  const missing = [...new Set(parts.filter(({ permitted }) => !permitted).map(({ permission }) => permission))];
  const taken = parts.some((part) => part.taken);
  const said = faults.filter(
    ({ code }) => !(code === "names_taken" && taken) && !(code === "parts_not_permitted" && missing.length > 0),
  );
  if (said.length + missing.length === 0) return null;
  return (
    <Notice tone="bad" live>
      <p className="font-medium">It cannot be installed like this.</p>
      <ul className="mt-1 grid gap-1">
        {said.map(({ code, detail }) => (
          <li key={code + detail}>{detail}</li>
        ))}
        {missing.length === 0 ? null : (
          <li>
            Your role lacks what its parts need: <code className="id">{missing.join(", ")}</code>. Ask somebody who has
            it to install it.
          </li>
        )}
      </ul>
    </Notice>
  );
}
