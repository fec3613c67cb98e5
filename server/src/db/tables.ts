import { exempt } from "../kernel/operation.ts";
import { evidence, ownTables, untilRemoved } from "../resources/tables.ts";

const nobody = exempt("of the installation alone");

export const owned = ownTables({
  schema_migrations: { keeps: evidence("What was done to the schema."), personal: nobody },
  partitioned_tables: { keeps: evidence("Which tables are partitioned by the time in their ids."), personal: nobody },
  fact_epochs: { keeps: untilRemoved("One row for each topic of facts."), personal: nobody },
  organizations: { keeps: untilRemoved("Made by the seed; nothing removes one."), personal: nobody },
  installation: {
    keeps: evidence("One row: the id by which logs and bundles name the installation."),
    personal: nobody,
  },
  secrets: { keeps: untilRemoved("One row for each secret of the installation."), personal: nobody },
});
