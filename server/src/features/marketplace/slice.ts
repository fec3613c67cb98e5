import { defineSlice } from "../../kernel/slice.ts";
import { startersSweep } from "./listings/operations/add-starter.ts";
import { createStopInstallsJob, recallSweep, stopInstallsJobName } from "./recalls/rules.ts";
import * as schemas from "./schemas.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    abr: "reports of abuse";
    ins: "installs of the marketplace";
    lst: "listings of the marketplace";
    pub: "publishers of bundles";
    rcl: "recalls of the marketplace";
  }
}

export const slice = defineSlice({
  about: "A catalogue of signed agents, workflows, tools, policies and datasets to install.",
  schemas,
  actions: {
    "install.change": {},
    "install.create": {},
    "install.read": {},
    "install.remove": {},
    "listing.change": {},
    "listing.rate": {},
    "listing.read": {},
    "listing.report": {},
    "listing.review": {},
    "listing.submit": {},
    "publisher.read": {},
    "publisher.rotate": {},
  },
  sweeps: [startersSweep],
  jobs: [{ name: stopInstallsJobName, sweep: recallSweep, handler: createStopInstallsJob }],
});
