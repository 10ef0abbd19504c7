// @ts-check
import { resolve } from "node:path";

/**
 * Returns the file that a command was given: npm runs it in the project's folder, and says where it was called. An object of a bucket stays as it is.
 * @param {string} file @param {string} calledIn
 */
export function fileArgument(file, calledIn = process.env["INIT_CWD"] ?? "") {
  return file.startsWith("s3://") ? file : resolve(calledIn, file);
}

/** Replaces the file that a command was given, if any, as `fileArgument` does. Called before the command's folder becomes the project's. */
export function resolveFileArgument() {
  const [, , file] = process.argv;
  if (file !== undefined) process.argv[2] = fileArgument(file);
}
