import { RemovedMonitor } from "../../schemas.ts";
import { monitors } from "../resource.ts";

export const removeMonitor = monitors.removeOperation({
  id: "evaluations.removeMonitor",
  summary: "Stop drawing tasks for review",
  description: "Tasks already drawn stay in the queue.",
  output: RemovedMonitor,
});
