import { secondsAfter, type Clock } from "../../clock.ts";
import { maxUrgentDelaySeconds } from "../outbox.ts";
import type { SmtpFailure } from "./failure.ts";

/** A time in which the SMTP server takes no mail. */
export interface Outage {
  since: Date;
  reason: string;
  probes: number;
  /** Steady time before which no mail is tried. */
  nextProbeAt: Date;
}

/** This many temporary failures in a row mean that the server is down, whatever the mails. */
const failuresOfAnOutage = 3;

/** The state of the SMTP server as one process sees it. During an outage one mail at a time is tried, at most every 30 s. */
export class SmtpHealth {
  outage: Outage | undefined;
  failuresInRow = 0;
  isProbing = false;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;

  constructor(clock: Clock, log: (line: string) => void) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether another mail may be tried now. */
  mayTry(): boolean {
    return this.outage === undefined || (!this.isProbing && this.#clock.steady() >= this.outage.nextProbeAt);
  }

  /** Records a failure that is not final. */
  failed({ kind, reason }: SmtpFailure): void {
    this.failuresInRow += 1;
    const now = this.#clock.steady();
    if (this.outage === undefined) {
      if (kind !== "server" && this.failuresInRow < failuresOfAnOutage) return;
      this.#log(`Mails wait, because the SMTP server takes none: ${reason}`);
      this.outage = { since: this.#clock.now(), reason, probes: 0, nextProbeAt: now };
    }
    // Mails that were on their way when the outage began are not probes.
    if (now < this.outage.nextProbeAt) return;
    this.outage.reason = reason;
    this.outage.nextProbeAt = secondsAfter(now, Math.min(5 * 2 ** this.outage.probes, maxUrgentDelaySeconds));
    this.outage.probes += 1;
  }

  /** Records that the server took a mail; returns whether earlier ones had failed. */
  succeeded(): boolean {
    const hadFailed = this.failuresInRow > 0;
    if (this.outage) this.#log(`The SMTP server takes mails again, after an outage since ${this.outage.since.toISOString()}`);
    this.outage = undefined;
    this.failuresInRow = 0;
    return hadFailed;
  }
}
