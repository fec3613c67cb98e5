import { shareRows } from "./shared-rows.ts";

// What other parts of the service read of the tables of the database.

export const installationRows = shareRows("installation", "id");

export const organizationRows = shareRows("organizations", "organization");
