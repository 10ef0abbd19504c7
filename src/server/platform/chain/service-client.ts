import { unescape } from "node:querystring";
import type * as z from "zod";
import { ProductError } from "#domain/errors/messages";
import { fetchJson, ReplyTooLargeError, StatusError } from "../bounded-fetch.ts";
import type { Limit, RateLimits } from "../http/rate-limit.ts";
import { ChainWaitError, ChainReplyError, ChainServiceError } from "./chain.ts";

/** Milliseconds for one request. */
const defaultTimeoutMs = 8000;

/** Bytes: more than a whole block of Ethereum, or 75 usual transactions of Bitcoin. */
const maxBytes = 16 * 1024 ** 2;

/** Seconds: a service that says more is asked again after this. */
const maxRetryAfterSeconds = 3600;

const overloadedStatuses = new Set([429, 503]);

/** Statuses by which a service refuses one question, not all of them. */
const refusedStatuses = new Set([400, 500]);

export interface ServiceClientSettings {
  /** May contain a user and a password, or a key in its path; no error repeats them. */
  address: string;
  /** Requests of all processes together. */
  budget: Limit;
  limits: RateLimits;
  timeoutMs?: number | undefined;
}

/** Makes requests to one chain service, within its budget, and parses the replies. */
export class ServiceClient {
  readonly #settings: ServiceClientSettings;
  readonly #base: URL;
  readonly #headers: Record<string, string> = { accept: "application/json" };

  constructor(settings: ServiceClientSettings) {
    this.#settings = settings;
    this.#base = new URL(settings.address);
    const { username, password } = this.#base;
    // fetch refuses an address that contains them, with an error that repeats it.
    if (username !== "" || password !== "") {
      // Unlike decodeURIComponent, it leaves a lone % as it is.
      const pair = `${unescape(username)}:${unescape(password)}`;
      this.#headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
      this.#base.username = "";
      this.#base.password = "";
    }
  }

  /** The service's name for errors and people: host and port. */
  get host(): string {
    return this.#base.host;
  }

  /** Returns the parsed reply to a GET below the address; undefined for 404. Throws what `ChainReader` throws. */
  get<Reply>(path: string, schema: z.ZodType<Reply>, stop: AbortSignal): Promise<Reply | undefined> {
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/$/, "") + path;
    return this.#request(url, { headers: this.#headers }, schema, stop);
  }

  /** Returns the parsed reply to a POST of JSON to the address; undefined for 404. Throws what `ChainReader` throws. */
  post<Reply>(body: unknown, schema: z.ZodType<Reply>, stop: AbortSignal): Promise<Reply | undefined> {
    const headers = { ...this.#headers, "content-type": "application/json" };
    return this.#request(this.#base, { method: "POST", headers, body: JSON.stringify(body) }, schema, stop);
  }

  async #request<Reply>(
    url: URL,
    init: Pick<RequestInit, "method" | "headers" | "body">,
    schema: z.ZodType<Reply>,
    stop: AbortSignal,
  ): Promise<Reply | undefined> {
    await this.#consumeBudget();
    const { timeoutMs = defaultTimeoutMs } = this.#settings;
    let reply: unknown;
    try {
      reply = await fetchJson(url, { timeoutMs, maxBytes, maxRedirects: 0, init, stop });
    } catch (error) {
      if (error instanceof StatusError && error.status === 404) return undefined;
      throw this.#explained(error);
    }
    const { data, success } = schema.safeParse(reply);
    if (!success) throw new ChainReplyError(`${this.host} replied with something else than documented.`);
    return data;
  }

  async #consumeBudget(): Promise<void> {
    try {
      await this.#settings.limits.consume(this.#settings.budget, "all");
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      throw new ChainWaitError("The budget of the chain service is used up.", error.retryAfter ?? 1);
    }
  }

  /** Returns the error in words that contain nothing of the address's path, nor of the reply. */
  #explained(error: unknown): Error {
    if (error instanceof StatusError && refusedStatuses.has(error.status)) return new ChainReplyError(error.message);
    if (error instanceof StatusError) {
      const isOverloaded = overloadedStatuses.has(error.status);
      return new ChainServiceError(isOverloaded ? "overloaded" : "unreachable", error.message, secondsOf(error.retryAfter));
    }
    if (error instanceof SyntaxError) return new ChainReplyError(`${this.host} replied with something else than JSON.`);
    if (error instanceof ReplyTooLargeError) return new ChainReplyError(error.message);
    const cause = error instanceof Error && error.name === "TimeoutError" ? "did not reply in time" : "cannot be reached";
    return new ChainServiceError("unreachable", `${this.host} ${cause}.`);
  }
}

/** Returns the seconds of a `Retry-After` header, at most an hour. A date is waited for as if it were a minute. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  return /^\d+$/.test(retryAfter.trim()) ? Math.min(Number(retryAfter), maxRetryAfterSeconds) : 60;
}
