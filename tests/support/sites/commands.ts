import { execFile, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "vite";

export interface Commands {
  fileOf(name: string): string;
  /** Starts one in a folder, the project's unless told. */
  start(name: string, args: string[], environment: Record<string, string>, cwd?: string): ChildProcess;
  /** Runs one to its end; returns the exit code, null after a signal, and the lines it wrote. */
  run(...given: Parameters<Commands["start"]>): Promise<{ code: number | null; lines: string[] }>;
  remove(): Promise<void>;
}

/** Bundles commands of the product, by name and source file, to run as processes of their own. */
export async function bundleCommands(input: Record<string, string>): Promise<Commands> {
  const root = resolve(import.meta.dirname, "../../..");
  const outDir = join(root, ".cache", `commands-${randomUUID()}`);
  const target = "node20";
  await build({
    configFile: false,
    root,
    logLevel: "error",
    build: { ssr: true, outDir, target, minify: false, rolldownOptions: { input } },
  });
  const fileOf = (name: string): string => join(outDir, `${name}.js`);
  const execute = (
    [name, args, environment, cwd]: Parameters<Commands["start"]>,
    whenEnded?: (error: unknown, stdout: string, stderr: string) => void,
  ): ChildProcess => {
    const env = { ...process.env, NODE_ENV: "test", ...environment };
    return execFile(process.execPath, [fileOf(name), ...args], { env, cwd }, whenEnded);
  };
  return {
    fileOf,
    start: (...given) => execute(given),
    run: (...given) =>
      new Promise((done) => {
        const child = execute(given, (_error, stdout, stderr) => {
          done({ code: child.exitCode, lines: (stdout + stderr).trim().split("\n") });
        });
      }),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
