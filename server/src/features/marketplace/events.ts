import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";

const listing = { listing_id: Type.String(), name: Type.String(), title: Type.String(), version: Type.String() };
const install = { install_id: Type.String(), ...listing };

export const listingSubmitted = defineEvent({
  type: "listing.submitted",
  summary: "A listing, or a new version of one, waits for review.",
  readers: everyone,
  schema: Type.Object({ event: Type.Literal("listing.submitted"), ...listing, by: Type.String() }),
});

export const listingReviewed = defineEvent({
  type: "listing.reviewed",
  summary: "A version of a listing was approved or rejected.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("listing.reviewed"),
    ...listing,
    decision: Type.Enum(["approve", "reject"] as const),
    reason: Type.String(),
    by: Type.String(),
  }),
});

export const listingRecalled = defineEvent({
  type: "listing.recalled",
  summary: "A listing was quarantined or recalled; its installs are being stopped.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("listing.recalled"),
    ...listing,
    recall_id: Type.String(),
    kind: Type.Enum(["quarantine", "recall"] as const),
    versions: Type.Array(Type.String()),
    reason: Type.String(),
    by: Type.String(),
  }),
});

export const listingReported = defineEvent({
  type: "listing.reported",
  summary: "Somebody reported abuse of a listing.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("listing.reported"),
    ...listing,
    report_id: Type.String(),
    kind: Type.String(),
  }),
});

export const installCompleted = defineEvent({
  type: "install.completed",
  summary: "A listing was installed or updated, or an install reset; its parts are drafts.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("install.completed"),
    ...install,
    state: Type.String(),
    by: Type.String(),
  }),
});

export const installRemoved = defineEvent({
  type: "install.removed",
  summary: "An install was removed.",
  readers: everyone,
  schema: Type.Object({ event: Type.Literal("install.removed"), ...install, by: Type.String() }),
});

export const installRecalled = defineEvent({
  type: "install.recalled",
  summary: "Installs of a listing were stopped by its quarantine or recall.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("install.recalled"),
    ...install,
    recall_id: Type.String(),
    kind: Type.Enum(["quarantine", "recall"] as const),
    stopped: Type.Array(Type.Object({ kind: Type.String(), target: Type.String(), kill_switch_id: Type.String() })),
    reason: Type.String(),
  }),
});
