import { shareRows } from "../../db/shared-rows.ts";

// What other parts of the service read of the tables of admin.

export const confirmationRows = shareRows(
  "confirmations",
  "organization",
  "environment",
  "id",
  "object",
  "digest",
  "how",
  "confirmed_by",
  "created_at",
);

export const connectionRows = shareRows("connections", "organization", "environment", "name", "kind");

export const keyRows = shareRows(
  "keys",
  "organization",
  "environment",
  "id",
  "name",
  "member_id",
  "expires_at",
  "revoked_at",
  "issuers",
);

export const memberRows = shareRows(
  "members",
  "organization",
  "id",
  "kind",
  "name",
  "email",
  "roles",
  "created_at",
  "removed_at",
);

export const settingRows = shareRows("settings", "organization", "environment", "settings");

export const teamRows = shareRows("teams", "organization", "environment", "name");
