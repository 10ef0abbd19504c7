/** A transaction of a chain, seen from one destination. */
export interface ChainTransaction {
  /** In lower case. */
  id: string;
  /** What it paid to the destination: a decimal of the coin with 8 places, less is cut off. */
  received: string;
  /** Undefined until it is in a block. */
  block: { at: Date; confirmations: number } | undefined;
  /** In a block, but failed: nothing was transferred. */
  isReverted: boolean;
  /** The account that sent it, where the chain has accounts. */
  sender: string | undefined;
  /** The first addresses that it pays, where nothing is for the destination. */
  elsewhere: string[];
  /** It calls a contract, whose own transfers a node does not list. */
  isContractCall: boolean;
}

/** Reads one chain for one lookup. Every method throws `ChainServiceError`, `ChainReplyError` or `ChainWaitError`. */
export interface ChainReader {
  /** Returns a transaction, seen from `destination`; undefined where the chain and its queue have none of this id. */
  findTransaction(id: string, destination: string): Promise<ChainTransaction | undefined>;
}

export interface ChainService<Reader extends ChainReader = ChainReader> {
  /** Returns a reader whose requests end when `stop` is aborted. */
  reader(stop: AbortSignal): Reader;
}

export const serviceProblems = ["unreachable", "overloaded", "wrong_network", "behind"] as const;
export type ServiceProblem = (typeof serviceProblems)[number];

/** No lookup would succeed now. May be tried again, not before `retryAfter` seconds where the service said so. */
export class ChainServiceError extends Error {
  override name = "ChainServiceError";
  readonly problem: ServiceProblem;
  readonly retryAfter: number | undefined;

  constructor(problem: ServiceProblem, message: string, retryAfter?: number) {
    super(message);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** A reply is not what the service documents, or contradicts itself. Other lookups may succeed. */
export class ChainReplyError extends Error {
  override name = "ChainReplyError";
}

/** No fault: a lookup has to wait, as for the budget of all processes, or for blocks that are not read yet. */
export class ChainWaitError extends Error {
  override name = "ChainWaitError";
  /** Seconds. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

export type ChainError = ChainWaitError | ChainReplyError | ChainServiceError;

/** Returns whether an error came of asking a chain, and not of the site itself. */
export function isChainError(error: unknown): error is ChainError {
  return error instanceof ChainWaitError || error instanceof ChainReplyError || error instanceof ChainServiceError;
}

/** Returns the error of the chain in which a run ends, if any. Throws all others. */
export async function chainErrorOf(run: Promise<unknown>): Promise<ChainError | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (!isChainError(error)) throw error;
    return error;
  }
}
