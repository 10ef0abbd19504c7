import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { id } from "../fields.ts";
import { anyModuleName, moduleName } from "./videos.ts";

/** More than any course has, so that a request stays small. */
const maxItems = 1000;

const moduleNames = z.array(anyModuleName).check(z.maxLength(maxItems));
const videoIds = z.array(id).check(z.maxLength(maxItems));

const ModuleVideos = z.object({
  ids: videoIds,
  /** Those of `ids` that come from other modules (VIDEOS-1). */
  taken: z.optional(videoIds),
  /** The order of the module that the new one was made from; another one now is refused (VIDEOS-1). */
  before: z.optional(videoIds),
});

export const ModuleName = z.object({
  name: moduleName,
  /** Whether the lessons may join those of a module that has this name already (VIDEOS-2). */
  merge: z.optional(z.boolean()),
});
export type ModuleName = z.infer<typeof ModuleName>;

export const modules = {
  order: oc
    .route({ method: "PUT", path: "/api/modules/order", summary: "Set the dashboard's order of modules, each named once" })
    .input(z.object({ modules: moduleNames, before: z.optional(moduleNames) }))
    .output(z.object({ modules: z.array(z.string()) })),
  orderVideos: oc
    .route({
      method: "PUT",
      path: "/api/modules/{module}/videos",
      inputStructure: "detailed",
      summary: "Number the videos of a module, each named once, from 1",
    })
    .input(z.object({ params: z.object({ module: anyModuleName }), body: ModuleVideos }))
    .output(z.object({ ids: z.array(z.string()) })),
  rename: oc
    .route({
      method: "PATCH",
      path: "/api/modules/{module}",
      inputStructure: "detailed",
      summary: "Rename a module, or merge it into another",
    })
    .input(z.object({ params: z.object({ module: anyModuleName }), body: ModuleName }))
    .output(z.object({ name: z.string() })),
};
