import type { FastifyRequest } from "fastify";
import type { ErrorCode, ProductError } from "#domain/errors/messages";

/** Names of the log events by which an attack is noticed and retraced (RUN-8). */
export type SecurityEvent =
  | "signed_in"
  | "sign_in_failed"
  | "limit_reached"
  | "access_refused"
  | "session_refused"
  | "recovery_requested"
  | "recovery_refused"
  | "confirmation_failed"
  | "second_factor_failed"
  | "step_up";

/** The errors that are security events; every reply with one is logged. */
const eventsOfErrors: Partial<Record<ErrorCode, SecurityEvent>> = {
  credentials_invalid: "sign_in_failed",
  too_many_requests: "limit_reached",
  not_signed_in: "access_refused",
  mailbox_token_needed: "access_refused",
  not_allowed: "access_refused",
  email_not_verified: "access_refused",
  link_invalid: "access_refused",
  link_other_browser: "access_refused",
  account_deleted: "access_refused",
  refresh_token_invalid: "session_refused",
  recovery_link_invalid: "recovery_refused",
  password_confirmation_wrong: "confirmation_failed",
  second_factor_code_invalid: "second_factor_failed",
};

type SignInProof = "password" | "recovery_link" | "second_factor";

/** A security event as it is logged, beside the id of its request. */
export interface LoggedEvent {
  event: SecurityEvent;
  ip: string;
  /** The route's pattern, without values. */
  route: string;
  /** The id of the affected account, if any. */
  account?: string;
  /** What proved a sign-in. */
  by?: SignInProof;
}

type EventSource = Pick<FastifyRequest, "log" | "ip" | "method" | "routeOptions">;

/** Writes a security event. Repeated ones from the same address are counted instead (`loggerOptions`). */
export function logSecurityEvent(request: EventSource, event: SecurityEvent, accountId?: string, by?: SignInProof): void {
  const logged: LoggedEvent = {
    event,
    ip: request.ip,
    route: `${request.method} ${request.routeOptions.url ?? "none"}`,
    ...(accountId === undefined ? {} : { account: accountId }),
    ...(by === undefined ? {} : { by }),
  };
  // A site in normal use is quiet at the usual level.
  request.log[event === "signed_in" ? "info" : "warn"](logged, `Security: ${event}`);
}

/** Writes the security event of an error that a request is answered with, if it is one. */
export function logRefusal(request: EventSource, error: ProductError): void {
  const event = eventsOfErrors[error.code];
  if (event !== undefined) logSecurityEvent(request, event, error.accountId);
}

/** Returns the kind by which events are counted when they repeat; undefined for anything else that is logged. */
export function kindOfEvent(logged: unknown): string | undefined {
  const { event, ip, account } = (logged ?? {}) as Partial<LoggedEvent>;
  if (event === undefined || ip === undefined) return undefined;
  // Many people may sign in from one address; what fails there is one attack, whatever accounts it names.
  return event === "signed_in" ? `${event}|${ip}|${account}` : `${event}|${ip}`;
}
