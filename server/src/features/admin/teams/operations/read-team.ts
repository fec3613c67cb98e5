import { teams } from "../resource.ts";

export const readTeam = teams.readOperation({ id: "admin.readTeam", summary: "Read a team" });
