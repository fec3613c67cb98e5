import { erasedWithRow, erasedWithWork, evidence, ownTables } from "../../../resources/tables.ts";

const decided = erasedWithRow("It names the members who decided what is measured.");

export const owned = ownTables({
  datasets: {
    keeps: evidence("Runs and verdicts name the dataset that they measured."),
    personal: { columns: ["description", "author"], erased: decided },
  },
  dataset_versions: {
    keeps: evidence("Runs and verdicts name the version of the dataset."),
    personal: { columns: ["note", "author", "deciders"], erased: decided },
  },
  dataset_items: {
    keeps: evidence("Runs compare outputs with the items; an item that was replaced stays in the earlier versions."),
    personal: {
      columns: ["input", "expected", "subject"],
      erased: erasedWithWork(async ({ db, scope: { organization, environment } }, { tasks }) => {
        await db.query(
          `update dataset_items set input = '{}', expected = '{}'
           where organization = $1 and source_environment = $2 and source_task = any($3::text[])`,
          [organization, environment, tasks],
        );
      }),
    },
  },
});
