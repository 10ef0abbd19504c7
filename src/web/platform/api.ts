import { createORPCClient, ORPCError } from "@orpc/client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import { contract } from "virtual:contract-routes";
import { ProductError } from "#domain/errors/messages";
import type { Api } from "./api-shape.ts";
import { accessToken, renewOrLoseSession } from "./auth-client.ts";
import { createDemoApi } from "../demo/api.ts";
import { errorOfReply, isAbort, logError, productErrorOf } from "./errors.ts";
import { repeatAfterStepUp } from "./step-up.ts";

/** The server's errors are `{"error", "code"}`; a proxy in front of it may reply with anything. */
function readError(body: unknown, status: number, retryAfter: unknown): ORPCError<string, unknown> {
  const { error, code } = (typeof body === "object" && body !== null ? body : {}) as { error?: unknown; code?: unknown };
  const seconds = Number(retryAfter);
  const isGateway = code === undefined && (status === 502 || status === 503 || status === 504);
  const cause = errorOfReply(isGateway ? "unavailable" : code, error, seconds > 0 ? seconds : undefined);
  return new ORPCError(cause.code, { status, message: cause.message, cause });
}

function toProductError(thrown: unknown): Error {
  // An aborted request is not an error.
  if (isAbort(thrown)) return thrown;
  const error = productErrorOf(thrown instanceof ORPCError && thrown.cause !== undefined ? thrown.cause : thrown);
  logError(error.code === "unexpected" ? thrown : error);
  return error;
}

/** Runs a call again once its session is renewed. One that was ended elsewhere is lost: the guards send on to /auth. */
async function repeatAfterRenewal<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (thrown) {
    if (productErrorOf(thrown).code !== "not_signed_in" || !(await renewOrLoseSession())) throw thrown;
    return call();
  }
}

/** Throws `offline` where no server was reached: `fetch` then rejects with an error that has no code. */
async function fetchOnline(request: Request, init: RequestInit): Promise<Response> {
  try {
    return await fetch(request, init);
  } catch (thrown) {
    throw isAbort(thrown) ? thrown : new ProductError("offline");
  }
}

/** The token of the newest call, for requests that cannot wait for one. */
let lastToken: string | undefined;

/**
 * Sends JSON while the page is hidden or left, where nothing more can be waited for; the browser finishes it when the page is gone. Returns
 * whether the server accepted it, for a page that comes back.
 */
export async function sendOnLeave(method: string, path: string, body: object): Promise<boolean> {
  if (lastToken === undefined) return false;
  const headers = { authorization: `Bearer ${lastToken}`, "content-type": "application/json" };
  try {
    return (await fetch(path, { method, headers, body: JSON.stringify(body), keepalive: true })).ok;
  } catch (error) {
    logError(error);
    return false;
  }
}

function connect(): Api {
  const link = new OpenAPILink(contract, {
    url: () => location.origin,
    fetch: fetchOnline,
    headers: async () => {
      const token = (lastToken = await accessToken());
      return token === undefined ? {} : { authorization: `Bearer ${token}` };
    },
    customErrorResponseBodyDecoder: (body, response) => readError(body, response.status, response.headers["retry-after"]),
    interceptors: [
      ({ next }) =>
        repeatAfterStepUp(() =>
          repeatAfterRenewal(async () => {
            try {
              return await next();
            } catch (thrown) {
              throw toProductError(thrown);
            }
          }),
        ),
    ],
  });
  return createORPCClient(link);
}

/** The typed calls of the HTTP contract; they throw `ProductError`. */
export const api: Api = import.meta.env.MODE === "demo" ? createDemoApi() : connect();
