import { causeOf, pause } from "./client.ts";

export interface Sample {
  /** When it was asked, as `Date.now()`. */
  at: number;
  repliedAt: number;
  /** 0 when no answer came. */
  status: number;
  text: string;
}

export interface Probe {
  readyz: Sample[];
  healthz: Sample[];
  stop(): Promise<void>;
}

/** Asks `/readyz` and `/healthz` over and over. */
export function startProbe(url: string): Probe {
  const over = new AbortController();
  const watch = async (path: string, samples: Sample[]): Promise<void> => {
    while (!over.signal.aborted) {
      samples.push(await look(url + path));
      await pause(100);
    }
  };
  const readyz: Sample[] = [];
  const healthz: Sample[] = [];
  const all = Promise.all([watch("/readyz", readyz), watch("/healthz", healthz)]);
  return {
    readyz,
    healthz,
    async stop() {
      over.abort();
      await all;
    },
  };
}

export async function look(address: string): Promise<Sample> {
  const at = Date.now();
  return fetch(address, { signal: AbortSignal.timeout(10_000) })
    .then(async (reply) => ({ at, status: reply.status, text: await reply.text(), repliedAt: Date.now() }))
    .catch((error: Error) => ({ at, status: 0, text: causeOf(error), repliedAt: Date.now() }));
}
