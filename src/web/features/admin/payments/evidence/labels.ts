import type { Evidence, EvidenceKind } from "#domain/evidence/evidence";

/** Each kind's name, and each of its verdicts in a few words. */
export const evidenceLabels: {
  [Kind in EvidenceKind]: { name: string; verdicts: Record<Extract<Evidence, { kind: Kind }>["verdict"], string> };
} = {
  chain: {
    name: "Chain",
    verdicts: {
      matched: "Payment arrived",
      unconfirmed: "Not confirmed yet",
      short: "Too little arrived",
      over: "Too much arrived",
      not_found: "No payment found",
      other_destination: "Paid to another address",
      used_before: "Transaction used before",
      unavailable: "Chain not reachable",
      off: "Not looked at",
    },
  },
  slip: {
    name: "Slip",
    verdicts: { read: "Code read", differs: "Slip differs", used_before: "Slip used before", none: "No code found" },
  },
  reference: { name: "Reference", verdicts: { none: "None", unique: "Unique", disputed: "Reference disputed" } },
  destination: { name: "Destination", verdicts: { current: "Current", not_current: "Destination not current" } },
  screenshot: {
    name: "Screenshot",
    verdicts: {
      new: "New",
      same_file: "Screenshot sent before",
      similar: "Similar screenshot",
      not_compared: "Screenshot not compared",
    },
  },
  late: { name: "Late payment", verdicts: { late: "Says they paid late" } },
  downgrade: { name: "Package", verdicts: { downgrade: "Lowers the package" } },
};

/** Returns a verdict in a few words. */
export function verdictLabel({ kind, verdict }: Evidence): string {
  return (evidenceLabels[kind].verdicts as Record<string, string>)[verdict]!;
}
