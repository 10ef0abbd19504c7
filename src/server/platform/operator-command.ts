import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProjectDir } from "../config.ts";

/** Returns how the operator types a command. A release has no scripts of npm (RUN-11); tests pass its folder. */
export function operatorCommand(name: string, args = "", projectDir = findProjectDir()): string {
  const isClone = existsSync(join(projectDir, "scripts/start.mjs"));
  if (!isClone) return `pipwright ${name} ${args}`.trimEnd();
  return `npm run ${name}${args && ` -- ${args}`}`;
}
