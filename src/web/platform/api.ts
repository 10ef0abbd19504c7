import { createORPCClient, ORPCError } from "@orpc/client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import { contract } from "#domain/api/contract";
import type { Api } from "./api-shape.ts";
import { accessToken, endSession } from "./auth-client.ts";
import { createDemoApi } from "./demo.ts";
import { answeredError, logError, productErrorOf } from "./errors.ts";

/** Answers of the server are `{"error", "code"}`; what stands between us and it may answer anything. */
function readError(body: unknown, status: number, retryAfter: unknown): ORPCError<string, unknown> {
  const { error, code } = (typeof body === "object" && body !== null ? body : {}) as { error?: unknown; code?: unknown };
  const seconds = Number(retryAfter);
  const isGateway = code === undefined && (status === 502 || status === 503 || status === 504);
  const cause = answeredError(isGateway ? "unavailable" : code, error, seconds > 0 ? seconds : undefined);
  return new ORPCError(cause.code, { status, message: cause.message, cause });
}

function toProductError(thrown: unknown): Error {
  // A request that was given up is no fault.
  if (thrown instanceof DOMException && thrown.name === "AbortError") return thrown;
  const error = productErrorOf(thrown instanceof ORPCError && thrown.cause !== undefined ? thrown.cause : thrown);
  logError(error.code === "unexpected" ? thrown : error);
  // The session was ended elsewhere: the guards send on to /auth.
  if (error.code === "not_signed_in") void endSession();
  return error;
}

function connect(): Api {
  const link = new OpenAPILink(contract, {
    url: () => location.origin,
    headers: async () => {
      const token = await accessToken();
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    },
    customErrorResponseBodyDecoder: (body, response) => readError(body, response.status, response.headers["retry-after"]),
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (thrown) {
          throw toProductError(thrown);
        }
      },
    ],
  });
  return createORPCClient(link);
}

/** The typed calls of the HTTP contract; they throw `ProductError`. */
export const api: Api = import.meta.env.MODE === "demo" ? createDemoApi() : connect();
