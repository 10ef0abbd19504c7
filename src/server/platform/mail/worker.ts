/** Mails that one process sends at the same time. */
const slots = 4;

export interface WorkerParts<Row> {
  /** Takes the next row that is due, or undefined. */
  claim(): Promise<Row | undefined>;
  /** Must not throw for what is the row's own fault. */
  deliver(row: Row): Promise<void>;
  /** Hears why claiming stopped; the next wake tries again. */
  onError(error: Error): void;
}

/** Claims rows while any are due and delivers several at a time, so that one slow receiver does not hold up the others. */
export function startWorker<Row>({ claim, deliver, onError }: WorkerParts<Row>): { wake(): void; stop(): Promise<void> } {
  const active = new Set<Promise<void>>();
  let stopping = false;
  let isClaiming = false;
  let wokenAgain = false;
  let claimRun: Promise<void> = Promise.resolve();

  const begin = (row: Row): void => {
    const sending = deliver(row)
      .catch(onError)
      .finally(() => {
        active.delete(sending);
        wake();
      });
    active.add(sending);
  };
  const mayClaim = (): boolean => !stopping && active.size < slots;

  const claimAll = async (): Promise<void> => {
    try {
      do {
        wokenAgain = false;
        let row: Row | undefined;
        while (mayClaim() && (row = await claim()) !== undefined) begin(row);
      } while (wokenAgain && mayClaim());
    } catch (error) {
      onError(error as Error);
    } finally {
      // In the same turn as the last look at wokenAgain, so that no wake falls between.
      isClaiming = false;
    }
  };
  const wake = (): void => {
    wokenAgain = true;
    if (stopping || isClaiming) return;
    isClaiming = true;
    claimRun = claimAll();
  };

  return {
    wake,
    async stop() {
      stopping = true;
      await claimRun;
      await Promise.all(active);
    },
  };
}
