import type { FailureKind } from "../../db/schema.ts";

/** Why one attempt failed. */
export interface SmtpFailure {
  kind: FailureKind;
  /** Another attempt would end the same way. */
  isPermanent: boolean;
  /** The server's reply or the system's error, for the admin. */
  reason: string;
}

/** What nodemailer adds to its errors. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
  /** By the reply's code. */
  permanent?: boolean;
}

/** Steps of SMTP at which the server judges one mail. Before them it judges this site: its address, credentials and sender. */
const stepsOfOneMail = ["RCPT TO", "DATA"];

/** Replies about this site at any step: the service closes (RFC 5321), authentication is missing or failed (RFC 4954). */
const repliesAboutThisSite = [421, 454, 530, 534, 535, 538];

const noTls = "The mail server does not offer TLS (STARTTLS), so it gets no mail. To send without TLS, set SMTP_TLS=off.";

/** A mail that nodemailer or this process cannot write: no reply of a server, so every attempt would end the same way. */
const unwritable = ["EENVELOPE", "EMESSAGE"];

/** Returns the cause of an error of `sendMail` and whether to try again. `wasCutOff`: the deadline passed. */
export function smtpFailure(thrown: unknown, wasCutOff: boolean): SmtpFailure {
  const error = thrown as SmtpError;
  const reason = error.message.slice(0, 500);
  if (wasCutOff)
    return { kind: "stalled", isPermanent: false, reason: "The mail server accepted the connection but did not finish." };
  if (error instanceof UnreadableMail) return { kind: "mail", isPermanent: true, reason };
  const { responseCode: reply, command = "", code = "" } = error;
  if (reply === undefined) {
    const isUnwritable = unwritable.includes(code);
    return { kind: isUnwritable ? "mail" : "server", isPermanent: isUnwritable, reason };
  }
  if (command === "STARTTLS") return { kind: "server", isPermanent: false, reason: noTls };
  const isOfOneMail = stepsOfOneMail.includes(command) && !repliesAboutThisSite.includes(reply);
  return { kind: isOfOneMail ? "mail" : "server", isPermanent: isOfOneMail && error.permanent === true, reason };
}

/** The stored text of a mail is gone, or was sealed with other secrets. */
export class UnreadableMail extends Error {
  override name = "UnreadableMail";
}
