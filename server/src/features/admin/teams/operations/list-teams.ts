import { teams } from "../resource.ts";

export const listTeams = teams.listOperation({
  id: "admin.listTeams",
  summary: "List teams",
  description: "The teams of this environment, by name from the last, with their members and whether they are open.",
  sort: "-name",
});
