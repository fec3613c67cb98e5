import { defineProblem } from "../../kernel/errors.ts";

export const bundleRefused = defineProblem({
  code: "bundle_refused",
  status: 422,
  title: "The bundle is not what its publisher signed, or no bundle",
  cause: "The file was changed, cut short, signed by another key, or holds something that no bundle may hold.",
  remedy: "`detail` says what and where; `fault` is the code for programs. Ask the publisher for a fresh copy.",
  retryable: false,
});

export const publisherKeyChanged = defineProblem({
  code: "publisher_key_changed",
  status: 409,
  title: "The publisher's key is not the one that was accepted",
  cause: "The bundle is signed by a key for which the accepted key does not vouch.",
  remedy: "Ask the publisher, over another channel, whether the key was rotated; a rotation is signed by the old key.",
  retryable: false,
});

export const listingExists = defineProblem({
  code: "listing_exists",
  status: 409,
  title: "The listing or version is there already",
  cause:
    "The publisher has a listing of this name, the listing has this version or a later one, or the same bundle was submitted before.",
  remedy: "`listing_id` names it. Publish a new version by POST /v1/marketplace/listings/{listing}/versions.",
  retryable: false,
});

export const listingState = defineProblem({
  code: "listing_state",
  status: 409,
  title: "The listing's state does not allow this",
  cause: "The version waits for review, was rejected, quarantined, recalled or withdrawn, or was approved already.",
  remedy: "`detail` names the state. GET /v1/marketplace/listings/{listing} shows the versions.",
  retryable: false,
});

export const listingPrivate = defineProblem({
  code: "listing_private",
  status: 409,
  title: "The listing is private",
  cause: "Files of private listings do not leave the organization.",
  remedy: "Whoever may change the listing can make it public by PATCH /v1/marketplace/listings/{listing}.",
  retryable: false,
});

export const notOwnListing = defineProblem({
  code: "not_own_listing",
  status: 409,
  title: "The listing is another publisher's",
  cause: "Only the publisher makes new versions; here they come as files.",
  remedy: "Give the publisher's file as `file`.",
  retryable: false,
});

export const ownReview = defineProblem({
  code: "own_review",
  status: 403,
  title: "Another person has to approve it",
  cause:
    "Whoever submitted a version, or could use the credential that did, does not approve it; in staging and production only a person who signed in personally does.",
  remedy: "Ask another member who may review listings. Rejecting, quarantining and recalling take one person.",
  retryable: false,
});

export const rotationRefused = defineProblem({
  code: "rotation_refused",
  status: 409,
  title: "The key cannot be rotated",
  cause:
    "This organization does not sign as this publisher, or its key was rotated 32 times, which is the most that a bundle carries.",
  remedy: "GET /v1/marketplace/publishers/own shows which publisher this organization is, and its keys.",
  retryable: false,
});

export const scanFindings = defineProblem({
  code: "scan_findings",
  status: 409,
  title: "The scan found errors",
  cause: "The version holds something with which it should not be installed as it is.",
  remedy:
    "Read GET /v1/marketplace/listings/{listing}/scan. If it is right all the same, approve with `accept_findings` and say why in `reason`.",
  retryable: false,
});

export const consentMissing = defineProblem({
  code: "consent_missing",
  status: 409,
  title: "The consent is to something else",
  cause: "The permissions, the publisher's key or the digest are not those of the version as it is.",
  remedy: "Read POST /v1/marketplace/listings/{listing}/preview again, and consent to what it shows.",
  retryable: false,
});

export const namesTaken = defineProblem({
  code: "names_taken",
  status: 409,
  title: "Names are taken",
  cause: "Something else has a name that the install would make.",
  remedy: "`names` lists them. Install it with `suffix`, or rename what is there.",
  retryable: false,
});

export const partsNotPermitted = defineProblem({
  code: "parts_not_permitted",
  status: 403,
  title: "The key may not make all parts",
  cause:
    "Each part is made by a call of the installer, and some of these calls need permissions that the key does not have.",
  remedy: "`permissions` lists them. Ask somebody whose role has them to install it.",
  retryable: false,
});

export const installState = defineProblem({
  code: "install_state",
  status: 409,
  title: "The install's state does not allow this",
  cause: "It was removed, is being changed, has what was asked for already, or is held by a recall.",
  remedy: "`detail` names the state. GET /v1/marketplace/installs/{install} shows it.",
  retryable: false,
});

export const localChanges = defineProblem({
  code: "local_changes",
  status: 409,
  title: "Parts were changed here",
  cause: "The update would overwrite what somebody changed since the install.",
  remedy: "`parts` lists them. Repeat with `discard_local_changes`, or keep the version that is installed.",
  retryable: false,
});
