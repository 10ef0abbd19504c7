import { ORPCError, ValidationError } from "@orpc/server";
import type { FastifyError } from "fastify";
import { errorOfIssue, type InputIssue } from "#domain/errors/input-errors";
import { ProductError } from "#domain/errors/messages";
import { causesOf, isDatabaseUnavailable } from "../db/unavailable.ts";

/** The body of every error reply. */
export interface ErrorBody {
  error: string;
  code: string;
}

export function bodyOf(error: ProductError): ErrorBody {
  return { error: error.message, code: error.code };
}

/** Returns a thrown value as an error of the catalogue. Unknown ones become `unexpected`, without details. */
export function productError(error: unknown): ProductError {
  if (error instanceof ProductError) return error;
  if (error instanceof ORPCError) return fromContract(error as ORPCError<string, unknown>);
  if (isDatabaseUnavailable(error)) return new ProductError("unavailable", { retryAfter: 5 });
  if (isDiskFull(error)) return new ProductError("insufficient_storage", { retryAfter: 60 });
  if (isStorageUnavailable(error)) return new ProductError("unavailable", { retryAfter: 10 });
  const status = (error as Partial<FastifyError>).statusCode;
  if (status === 413) return new ProductError("body_too_large");
  if (status !== undefined && status >= 400 && status < 500) return new ProductError("invalid_input");
  return new ProductError("unexpected");
}

function fromContract(error: ORPCError<string, unknown>): ProductError {
  if (error.cause instanceof ProductError) return error.cause;
  if (error.cause instanceof ValidationError && error.status === 400) {
    const issue = error.cause.issues[0] as (InputIssue & { code: string }) | undefined;
    return issue ? fromIssue(issue) : new ProductError("invalid_input");
  }
  if (error.status === 404) return new ProductError("not_found");
  if (error.status === 405) return new ProductError("method_not_allowed");
  if (error.status >= 400 && error.status < 500) return new ProductError("invalid_input");
  return productErrorOfCause(error);
}

function productErrorOfCause(error: ORPCError<string, unknown>): ProductError {
  return error.cause === undefined ? new ProductError("unexpected") : productError(error.cause);
}

/** Only zod's texts about a limit are useful to the reader. */
function fromIssue(issue: InputIssue & { code: string }): ProductError {
  const error = errorOfIssue(issue);
  const isAboutLimit = issue.code === "too_big" || issue.code === "too_small";
  return error.code === "invalid_input" && !error.hasOwnText && isAboutLimit
    ? new ProductError("invalid_input", { text: issue.message })
    : error;
}

/** Returns whether the disk or this account's quota is full. */
export function isDiskFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === "ENOSPC" || code === "EDQUOT");
}

const storageCodes = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS", "EIO"]);

/** Returns whether a file operation failed because of the disk or the folder. Callers handle files that may be missing. */
function isStorageUnavailable(error: unknown): boolean {
  return causesOf(error).some(({ code, path }) => path !== undefined && storageCodes.has(code ?? ""));
}
