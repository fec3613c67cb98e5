import type { ReactNode } from "react";
import { installPaths } from "../../api/installs.ts";
import { type ListingDetail, type ListingVersion, listingPaths, reviewListing } from "../../api/marketplace.ts";
import { useChange } from "../../api/queries.ts";
import { counted, visible } from "../../lib/words.ts";
import { DigestText } from "../../ui/code.tsx";
import { TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

export type Decision = "approve" | "reject" | "quarantine" | "recall";

const words: Readonly<Record<Decision, { readonly title: string; readonly word: string; readonly done: string }>> = {
  approve: { title: "Approve", word: "Approve", done: "was approved" },
  reject: { title: "Reject", word: "Reject", done: "was rejected" },
  quarantine: { title: "Quarantine", word: "Quarantine and stop it", done: "is quarantined" },
  recall: { title: "Recall", word: "Recall for good", done: "is recalled" },
};

interface DecideProps {
  readonly listing: ListingDetail;
  /** The version that is decided about; null: all that are approved or held. */
  readonly version: ListingVersion | null;
  readonly decision: Decision;
  readonly onClose: () => void;
}

/** Takes a decision with its reason, after saying what follows from it. */
export function DecideDialog({ listing, version, decision, onClose }: DecideProps) {
  const { title, word, done } = words[decision];
  const change = useChange(reviewListing, [...listingPaths, ...installPaths, "/v1/marketplace/recalls"]);
  const errors = version?.scan.error ?? 0;
  const submit = (form: FormData): void =>
    change.mutate(
      {
        listing: listing.listing_id,
        decision,
        reason: String(form.get("reason")),
        ...(version === null ? {} : { version: version.version }),
        ...(decision === "approve" && version ? { digest: version.digest } : {}),
        ...(form.get("accept") === "on" ? { accept_findings: true } : {}),
      },
      {
        onSuccess: () => {
          toast(`${[listing.title, ...(version ? [version.version] : [])].join(" ")} ${done}.`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`${title} ${visible(listing.title)}${version ? ` ${version.version}` : ""}`}
      word={word}
      kind={decision === "approve" ? "primary" : "danger"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <Follows listing={listing} version={version} decision={decision} />
      {decision === "approve" && errors > 0 ? <AcceptFindings errors={errors} /> : null}
      <TextArea
        name="reason"
        label="Reason"
        required
        maxLength={2000}
        rows={3}
        data-autofocus
        hint={
          decision === "quarantine" || decision === "recall"
            ? "People whose work is stopped read it."
            : "Stays with the version."
        }
      />
      {change.error?.code === "own_review" ? <OwnReview /> : null}
    </FormDialog>
  );
}

/** What follows from the decision, before it is taken. */
function Follows({ listing: { installs, versions }, version, decision }: Omit<DecideProps, "onClose">): ReactNode {
  if (decision === "approve")
    return (
      <>
        <p>
          Everybody who may install can install it then. You approve exactly this bundle:{" "}
          {version ? <DigestText digest={version.digest} /> : null}
        </p>
        {version?.state === "quarantined" ? (
          <Notice>Kill switches of the quarantine stay until people release them.</Notice>
        ) : null}
      </>
    );
  if (decision === "reject")
    return <p>It cannot be installed. Whoever submitted it reads the reason, and can submit another version.</p>;
  const those = versions
    .filter(({ state }) => state === "approved" || state === "quarantined")
    .map((one) => one.version);
  return (
    <Notice tone="bad">
      <p className="font-semibold">{stopsText(installs)}</p>
      <p className="mt-1">
        {decision === "recall"
          ? "A recall is for good: these versions are never approved again."
          : "It can be approved again; kill switches stay until people release them."}{" "}
        It concerns {those.length === 1 ? "version" : "versions"} {those.join(", ")}.
      </p>
    </Notice>
  );
}

const stopsText = (installs: number): string =>
  installs === 0
    ? "Nothing of it is installed: only new installs are refused."
    : `Stops ${counted(installs, "install")}, in every environment, within a minute: tasks under way are ended, new ones refused.`;

const AcceptFindings = ({ errors }: { readonly errors: number }) => (
  <Notice tone="bad">
    <p>The scan found {counted(errors, "error")}: something with which it should not be installed as it is.</p>
    <label className="mt-2 flex items-start gap-2">
      <input type="checkbox" name="accept" required className="mt-0.5 size-4 accent-accent" />
      <span>I read the findings; the reason says why it is right all the same</span>
    </label>
  </Notice>
);

/** Why somebody cannot approve their own work, and what to do. */
const OwnReview = () => (
  <Notice tone="warn">
    Approving takes another person than who submitted it. Ask a member who may review listings and is signed in
    personally: by a passkey or the organization&apos;s sign-in, not with a key. Rejecting, quarantining and recalling
    take one person.
  </Notice>
);
