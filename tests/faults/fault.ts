import type { Site } from "../support/sites/site-process.ts";
import { isSoon, pause, type Mishap } from "./client.ts";
import { recoveryDeadlineMs } from "./form.ts";
import { look, startProbe, type Probe, type Sample } from "./probe.ts";
import { report } from "./report.ts";
import type { Traffic } from "./traffic.ts";

export interface Fault {
  name: string;
  /** Begins the fault and returns what ends it. */
  begin(): Promise<() => Promise<void> | void>;
  /** How long it lasts, from when `/readyz` has noticed it. */
  lastsMs: number;
  /** The part that `/readyz` must name while the fault lasts; undefined where readiness is not judged. */
  unready?: RegExp;
  /** Whether requests may be left without any answer while it lasts. */
  cutsClients?: boolean;
}

/** What a fault did to the site; every list is empty and `hasRecovered` true where the site held. */
export interface Outcome {
  fault: string;
  hasRecovered: boolean;
  /** From the beginning of the fault until `/readyz` named the part. */
  noticedSeconds: number;
  /** From the end of the fault until the site is ready and answers the admin. */
  recoverySeconds: number;
  logLines: number;
  /** Why the process is gone. */
  ended: string[];
  /** Replies that no visitor should get: other than 503 during the fault, any fault's after it. */
  badReplies: string[];
  /** What `/readyz` and `/healthz` said that was not so. */
  untruths: string[];
  lost: string[];
}

const maxLogLines = 50;

/** Puts a fault on a site under traffic and returns what came of it. */
export async function putOn(site: Site, traffic: Traffic, fault: Fault): Promise<Outcome> {
  await throughput(traffic);
  const linesBefore = site.lines.length;
  const mishapsBefore = traffic.journal.mishaps.length;
  const wrongsBefore = traffic.journal.wrongs.length;
  const probe = startProbe(site.url);
  const began = Date.now();
  const end = await fault.begin();
  const isNoticed = (): boolean => !fault.unready || probe.readyz.some((sample) => sample.at >= began && saysSo(sample, fault));
  await isSoon(isNoticed, recoveryDeadlineMs);
  const noticed = Date.now();
  await pause(fault.lastsMs);
  // Waits until `/readyz` has replied once; a reply takes up to two seconds.
  await isSoon(() => !fault.unready || probe.readyz.some(({ at }) => at >= noticed), recoveryDeadlineMs);
  const lasted = Date.now();
  await end();
  const ended = Date.now();
  const isServing = async (): Promise<boolean> =>
    (await look(`${site.url}/readyz`)).status === 200 &&
    (await traffic.ask("GET", "/api/payment-requests?limit=1", undefined, { token: traffic.adminToken() })).status === 200;
  const isBack = await isSoon(async () => site.ending() !== undefined || (await isServing()), recoveryDeadlineMs);
  const recovered = Date.now();
  const hasRecovered = isBack && site.ending() === undefined && (await throughput(traffic));
  await probe.stop();
  const outcome: Outcome = {
    fault: fault.name,
    hasRecovered,
    noticedSeconds: (noticed - began) / 1000,
    recoverySeconds: (recovered - ended) / 1000,
    logLines: logLines(site.lines.slice(linesBefore)).length,
    ended: site.ending() ? [`the process ended: ${JSON.stringify(site.ending())}`] : [],
    badReplies: [
      ...badOnes(traffic.journal.mishaps.slice(mishapsBefore), recovered, fault),
      ...traffic.journal.wrongs.slice(wrongsBefore),
    ],
    untruths: untruths(probe, fault, { from: noticed, to: lasted }, recovered),
    lost: hasRecovered ? await traffic.missing() : [],
  };
  const { recoverySeconds, noticedSeconds } = outcome;
  const note = fault.unready ? `noticed after ${noticedSeconds.toFixed(1)} s` : undefined;
  report({ fault: fault.name, recoverySeconds, logLines: outcome.logLines, complaints: complaints(outcome), note });
  return outcome;
}

/** What is wrong with an outcome, a line each; empty where the site held. */
export function complaints({ hasRecovered, logLines, ended, badReplies, untruths: said, lost }: Outcome): string[] {
  return [
    ...ended,
    ...(hasRecovered ? [] : ["did not come back by itself"]),
    ...(logLines > maxLogLines ? [`${logLines} log lines`] : []),
    ...badReplies.slice(0, 5),
    ...said.slice(0, 5),
    ...lost.slice(0, 5).map((what) => `lost: ${what}`),
  ];
}

/** The lines that a fault is to blame for: without SMTP each mail is printed too. */
export const logLines = (lines: string[]): string[] => lines.filter((line) => !line.startsWith("Mail to "));

/** Waits until a student came all the way through and the admin's stream was told of it. */
async function throughput(traffic: Traffic): Promise<boolean> {
  const lives = traffic.lives();
  const events = traffic.stream.events();
  return isSoon(() => traffic.lives() > lives && traffic.stream.events() > events, 2 * recoveryDeadlineMs);
}

function badOnes(mishaps: Mishap[], recovered: number, { cutsClients }: Fault): string[] {
  const isBad = ({ at, status }: Mishap): boolean => at > recovered || (status === 0 ? cutsClients !== true : status !== 503);
  return mishaps.filter(isBad).map(({ at, what }) => `${what}${at > recovered ? " after the recovery" : ""}`);
}

const saysSo = ({ status, text }: Sample, { unready }: Fault): boolean => status === 503 && unready?.test(text) === true;

function untruths(probe: Probe, fault: Fault, during: { from: number; to: number }, recovered: number): string[] {
  const isDuring = ({ at, repliedAt }: Sample): boolean => at >= during.from && repliedAt <= during.to;
  const inTheFault = fault.unready ? probe.readyz.filter(isDuring) : [];
  const afterIt = probe.readyz.filter(({ at }) => at > recovered);
  const health = fault.cutsClients ? [] : probe.healthz;
  return [
    ...(fault.unready && inTheFault.length === 0 ? ["/readyz gave no reply while it lasted"] : []),
    ...inTheFault
      .filter((sample) => !saysSo(sample, fault))
      .map(({ status, text }) => `/readyz while it lasted: ${status} ${text}`),
    ...afterIt.filter(({ status }) => status !== 200).map(({ status, text }) => `/readyz after it: ${status} ${text}`),
    ...health.filter(({ status }) => status !== 200).map(({ status, text }) => `/healthz: ${status} ${text}`),
  ];
}
