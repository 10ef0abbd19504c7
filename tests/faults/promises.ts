import { createHash } from "node:crypto";
import { adminEmail, adminPassword } from "../support/sites/site-process.ts";
import { asker, isSoon, newJournal, type Ask } from "./client.ts";
import { recoveryDeadlineMs } from "./form.ts";

/** What the site acknowledged to one student. */
export interface StudentPromises {
  email: string;
  /** The access token under which the address was verified. */
  verifiedBy?: string;
  /** A mail that must have been sent to the student, by a part of its subject or text. */
  mails: RegExp[];
  requests: PromisedRequest[];
}

export interface PromisedRequest {
  id: string;
  /** SHA-256 of the uploaded file. */
  screenshot: string;
  decision?: "approved" | "rejected";
}

/** Everything that the site acknowledged, to be asked for again later. */
export class Promises {
  readonly students: StudentPromises[] = [];

  /** Notes a sign-up and returns the list that the student's other promises go to. */
  signedUp(email: string): StudentPromises {
    const student: StudentPromises = { email, mails: [], requests: [] };
    this.students.push(student);
    return student;
  }

  count(): number {
    const each = this.students.map(
      ({ verifiedBy, mails, requests }) => 1 + (verifiedBy ? 1 : 0) + mails.length + requests.length,
    );
    return each.reduce((sum, number) => sum + number, 0);
  }

  /** Asks the site as its admin for all that was promised; returns what is missing, a line each. */
  async missing(url: string, mailsFor: (email: string) => Promise<{ subject: string; text: string }[]>): Promise<string[]> {
    const ask = asker(url, newJournal());
    // Those of now: more are made while the site is asked.
    const promised = structuredClone(this.students);
    const path = "/auth/v1/token?grant_type=password";
    const token = (await ask("POST", path, { email: adminEmail, password: adminPassword })).body.access_token as string;
    const lost: string[] = [];
    const users = new Map((await all(ask, token, "/functions/v1/admin-users", "users")).map((user) => [user.email, user]));
    const requests = new Map((await all(ask, token, "/api/payment-requests", "items")).map((item) => [item.id, item]));
    for (const student of promised) {
      const user = users.get(student.email);
      if (!user) lost.push(`account ${student.email}`);
      if (student.verifiedBy !== undefined) {
        const me = await ask("GET", "/api/me", undefined, { token: student.verifiedBy });
        // Access tokens end after ten minutes.
        if (me.status === 200 && !me.body.email_verified) lost.push(`verification of ${student.email}`);
      }
      const isApproved = student.requests.some(({ decision }) => decision === "approved");
      if (isApproved && user?.subscription_status !== "starter") lost.push(`tier of ${student.email}`);
      for (const request of student.requests) {
        const found = requests.get(request.id);
        if (!found) lost.push(`request ${request.id} of ${student.email}`);
        else if (request.decision && found.status !== request.decision) lost.push(`${request.id} was ${request.decision}`);
        const link = await ask("GET", `/api/payment-requests/${request.id}/screenshot`, undefined, { token });
        if ((await hashAt(link.body.url)) !== request.screenshot) lost.push(`screenshot of ${request.id}: ${link.status}`);
      }
      let missing = student.mails;
      const haveArrived = async (): Promise<boolean> => {
        const mails = await mailsFor(student.email);
        missing = missing.filter((mail) => !mails.some(({ subject, text }) => mail.test(`${subject}\n${text}`)));
        return missing.length === 0;
      };
      // A mail that was promised just now is still on its way.
      if (missing.length > 0) await isSoon(haveArrived, recoveryDeadlineMs);
      lost.push(...missing.map((mail) => `mail ${mail} to ${student.email}`));
    }
    return lost;
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** SHA-256 of what is at an address; empty where nothing is. */
export async function hashAt(url: string): Promise<string> {
  const reply = await fetch(url).catch(() => undefined);
  return reply?.ok ? hashOf(new Uint8Array(await reply.arrayBuffer())) : "";
}

async function all(ask: Ask, token: string, path: string, field: string): Promise<any[]> {
  const rows: any[] = [];
  let cursor: string | null = null;
  do {
    const page: any = (await ask("GET", `${path}?limit=100${cursor ? `&cursor=${cursor}` : ""}`, undefined, { token })).body;
    if (!Array.isArray(page?.[field])) throw new Error(`${path} is no list: ${JSON.stringify(page)}`);
    rows.push(...page[field]);
    cursor = page.next_cursor;
  } while (cursor);
  return rows;
}
