import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    pictureWorker: string;
    captionWorker: string;
    passwordWorker: string;
    filmWorker: string;
    filmProcess: string;
  }
}

const project = resolve(import.meta.dirname, "../../..");

/** Bundles the processes that decode pictures, read films, check captions and estimate passwords, since Node 20 does not run TypeScript. Inside the project, where packages are found. */
export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const cache = join(project, ".cache");
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "test-worker-"));
  const input = {
    "picture-worker": join(project, "src/server/platform/pictures/picture-worker.ts"),
    "film-worker": join(project, "src/server/platform/films/film-worker.ts"),
    "film-process": join(project, "tests/support/films/process.ts"),
    "caption-worker": join(project, "src/server/platform/captions/caption-worker.ts"),
    "password-worker": join(project, "src/server/platform/passwords/password-worker.ts"),
  };
  await build({
    root: project,
    configFile: false,
    logLevel: "warn",
    build: { ssr: true, target: "node20", outDir, minify: false, reportCompressedSize: false, rolldownOptions: { input } },
  });
  tests.provide("pictureWorker", join(outDir, "picture-worker.js"));
  tests.provide("filmWorker", join(outDir, "film-worker.js"));
  tests.provide("filmProcess", join(outDir, "film-process.js"));
  tests.provide("captionWorker", join(outDir, "caption-worker.js"));
  tests.provide("passwordWorker", join(outDir, "password-worker.js"));
  return () => rm(outDir, { recursive: true, force: true });
}
