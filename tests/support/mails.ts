import type { TestApp } from "./app.ts";
import { visitor } from "./people.ts";

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  sent_at: string;
}

/** What an address was mailed, newest first. */
export async function mailsTo(app: TestApp, email: string): Promise<ReceivedMail[]> {
  const answer = await visitor(app).call("GET", `/mailbox.json?to=${encodeURIComponent(email)}`);
  if (answer.status !== 200) throw new Error(`The mailbox answered ${answer.status}.`);
  return answer.body;
}

/** The newest verification code that was mailed to an address. */
export async function codeFor(app: TestApp, email: string): Promise<string> {
  for (const { text } of await mailsTo(app, email)) {
    const code = /^\d{6}$/m.exec(text)?.[0];
    if (code !== undefined) return code;
  }
  throw new Error(`No code was mailed to ${email}.`);
}

/** The token of the newest recovery link that was mailed to an address. */
export async function recoveryTokenFor(app: TestApp, email: string): Promise<string> {
  for (const { text } of await mailsTo(app, email)) {
    const token = /\/auth\?recovery=([\w-]+)/.exec(text)?.[1];
    if (token !== undefined) return token;
  }
  throw new Error(`No recovery link was mailed to ${email}.`);
}
