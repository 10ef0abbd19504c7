import type { EvidenceSource } from "./source.ts";

/** No slip is read yet. */
export const slipSource: EvidenceSource = () => Promise.resolve(() => undefined);
