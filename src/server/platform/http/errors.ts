import { ORPCError, ValidationError } from "@orpc/server";
import type { FastifyError } from "fastify";
import { errorOfIssue } from "#domain/errors/input-errors";
import { ProductError } from "#domain/errors/messages";
import { causesOf, isDatabaseUnavailable } from "../db/unavailable.ts";
import { isDiskFull } from "../disk-full.ts";
import { systemCode } from "../system-code.ts";

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
  if (status === 415) return new ProductError("body_type_invalid");
  if (status === 413) return new ProductError("body_too_large");
  if (status !== undefined && status >= 400 && status < 500) return new ProductError("invalid_input");
  return new ProductError("unexpected");
}

function fromContract(error: ORPCError<string, unknown>): ProductError {
  if (error.cause instanceof ProductError) return error.cause;
  if (error.cause instanceof ValidationError && error.status === 400) {
    const [issue] = error.cause.issues;
    return issue ? errorOfIssue(issue) : new ProductError("invalid_input");
  }
  if (error.status === 404) return new ProductError("not_found");
  if (error.status === 405) return new ProductError("method_not_allowed");
  if (error.status >= 400 && error.status < 500) return new ProductError("invalid_input");
  return productErrorOfCause(error);
}

function productErrorOfCause(error: ORPCError<string, unknown>): ProductError {
  return error.cause === undefined ? new ProductError("unexpected") : productError(error.cause);
}

// The last ones are of a network's disk whose server is away; where it times out, the code is among the database's too.
const storageCodes = new Set("ENOENT ENOTDIR EACCES EPERM EROFS EIO ENXIO ENODEV ENOTCONN ESTALE EREMOTEIO".split(" "));

/** Returns whether a file operation failed because of the disk or the folder: of a socket there is no path. Callers handle files that may be missing. */
function isStorageUnavailable(error: unknown): boolean {
  return causesOf(error).some((cause) => cause.path !== undefined && storageCodes.has(systemCode(cause) ?? ""));
}
