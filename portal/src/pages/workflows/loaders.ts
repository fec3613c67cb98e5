import { prefetch } from "../../api/queries.ts";
import type { RunDetail, RunFilter } from "../../api/workflow-types.ts";
import {
  listAllRuns,
  listDeadLetters,
  listHooks,
  listRuns,
  listTriggers,
  listVersions,
  listWorkflows,
  readRun,
  readVersion,
  readWorkflow,
} from "../../api/workflows.ts";
import { wordsOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";
import { runStatuses, type WorkflowSearch, type WorkflowsSearch } from "./search.ts";

const paged = (cursor: string | undefined) => ({ limit: 25, ...(cursor ? { cursor } : {}) });
function runFilter(search: Pick<WorkflowSearch, "status" | "cursor">): RunFilter {
  const status = wordsOf({ ...search }, "status", runStatuses);
  return { ...paged(search.cursor), ...(status ? { status } : {}) } as RunFilter;
}

/** What the pages show for an address. */
export const workflowsOf = ({ cursor }: WorkflowsSearch) => listWorkflows(paged(cursor));
export const allRunsOf = ({ workflow, ...search }: WorkflowsSearch) =>
  listAllRuns({ ...runFilter(search), ...(workflow ? { workflow: [workflow] } : {}) } as RunFilter);
export const runsOf = (workflow: string, search: WorkflowSearch) => listRuns(workflow, runFilter(search));
export const deadLettersOf = ({ cursor }: WorkflowsSearch) => listDeadLetters(paged(cursor));

export const loadList = ({ queryClient }: LoaderContext, search: WorkflowsSearch) => {
  if (search.tab === "runs") return prefetch(queryClient, allRunsOf(search));
  if (search.tab === "dead_letters") return prefetch(queryClient, deadLettersOf(search));
  if (search.tab === "hooks") return prefetch(queryClient, listHooks());
  return prefetch(queryClient, workflowsOf(search));
};

export const loadWorkflow = ({ queryClient }: LoaderContext, workflow: string, search: WorkflowSearch) =>
  prefetch(
    queryClient,
    readWorkflow(workflow),
    ...(search.tab === "runs" ? [runsOf(workflow, search)] : []),
    ...(search.tab === "versions" ? [listVersions(workflow)] : []),
    ...(search.tab === "triggers" ? [listTriggers(workflow)] : []),
  );

/** The run, then the version that it runs. */
export async function loadRun(
  { queryClient }: LoaderContext,
  { workflow, run }: { readonly workflow: string; readonly run: string },
): Promise<void> {
  await prefetch(queryClient, readRun(workflow, run));
  const { version } = queryClient.getQueryData<RunDetail>(readRun(workflow, run).queryKey) ?? {};
  if (version !== undefined) await prefetch(queryClient, readVersion(workflow, version));
}
