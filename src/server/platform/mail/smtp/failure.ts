import type { FailureKind } from "../../db/schema.ts";

/** Why one attempt failed. */
export interface SmtpFailure {
  kind: FailureKind;
  /** Another attempt would end the same way. */
  isPermanent: boolean;
  /** The server got its text and did not reply: it may have taken the mail (MAIL-12). */
  mayHaveArrived: boolean;
  /** There was no connection, so another mail would not have been sent either. */
  isUnreached: boolean;
  /** The server's reply or the system's error, for the admin. */
  reason: string;
}

/** What nodemailer adds to its errors. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  /** Of a system error: what it was about. */
  syscall?: string;
  timeoutType?: string;
  /** By the reply's code. */
  permanent?: boolean;
}

/** Steps of SMTP at which the server judges one mail. Before them it judges this site: its address, credentials and sender. */
const stepsOfOneMail = ["RCPT TO", "DATA"];

/** Replies about this site at any step: the service closes (RFC 5321), authentication is missing or failed (RFC 4954). */
const repliesAboutThisSite = [421, 454, 530, 534, 535, 538];

/**
 * Refusals that may be about this site where one mail is judged: many servers refuse a client or a sender only there. By the status of mail system,
 * routing or policy (RFC 3463), or by the word where there is no status.
 */
const refusalOfThisSite = /^\d+[ -](?:5\.[347]\.|(?!5\.)[^]*\brelay)/i;

const noTls = "The mail server does not offer TLS (STARTTLS), so it gets no mail. To send without TLS, set SMTP_TLS=off.";

const stalled = "The mail server accepted the connection but did not finish.";

/** A mail that nodemailer or this process cannot write: no reply of a server, so every attempt would end the same way. */
const unwritable = ["EENVELOPE", "EMESSAGE"];

/** Returns the cause of an error of `sendMail` and whether to try again. `wasCutOff`: the deadline passed. `isTextSent`: at least its beginning. */
export function smtpFailure(thrown: unknown, wasCutOff: boolean, isTextSent: boolean): SmtpFailure {
  const error = thrown as SmtpError;
  const { responseCode: reply, response = "", command = "", code = "" } = error;
  const isUnreached = code === "EDNS" || error.syscall === "connect" || error.timeoutType === "CONNECT_TIMEOUT";
  // PostgreSQL stores no NUL, which a server may reply.
  const reason = error.message.replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
  const failure = { kind: "server", isPermanent: false, mayHaveArrived: false, isUnreached, reason } as const;
  if (wasCutOff) return { ...failure, kind: "stalled", mayHaveArrived: isTextSent, reason: stalled };
  if (error instanceof UnreadableMail) return { ...failure, kind: "mail", isPermanent: true };
  if (reply === undefined) {
    if (unwritable.includes(code)) return { ...failure, kind: "mail", isPermanent: true };
    return { ...failure, mayHaveArrived: isTextSent };
  }
  if (command === "STARTTLS") return { ...failure, reason: noTls };
  const isOfOneMail = stepsOfOneMail.includes(command) && !repliesAboutThisSite.includes(reply);
  if (!isOfOneMail) return failure;
  return { ...failure, kind: "mail", isPermanent: error.permanent === true && !refusalOfThisSite.test(response) };
}

/** The stored text of a mail is gone, or was sealed with other secrets. */
export class UnreadableMail extends Error {
  override name = "UnreadableMail";
}
