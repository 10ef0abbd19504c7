import { isFlagged, verdictThatCounts, type Evidence, type EvidenceKind } from "#domain/evidence/evidence";

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
      other_destination: "Another address",
      used_before: "Counted before",
      unavailable: "Chain not reachable",
      off: "Not looked at",
    },
  },
  slip: {
    name: "Bank slip",
    verdicts: { read: "Code read", differs: "Slip differs", used_before: "Slip used before", none: "No code found" },
  },
  reference: {
    name: "Reference",
    verdicts: { none: "No reference", unique: "Not claimed by others", disputed: "Reference disputed" },
  },
  destination: {
    name: "Destination",
    verdicts: { current: "Current destination", not_current: "Old destination" },
  },
  screenshot: {
    name: "Screenshot",
    verdicts: {
      new: "New screenshot",
      same_file: "Same screenshot",
      similar: "Similar screenshot",
      not_compared: "Not compared",
    },
  },
  late: { name: "Time", verdicts: { late: "Says they paid late" } },
  downgrade: { name: "Package", verdicts: { downgrade: "Lowers package" } },
};

/** Returns a verdict in a few words. */
export function verdictLabel({ kind, verdict }: Pick<Evidence, "kind" | "verdict">): string {
  return (evidenceLabels[kind].verdicts as Record<string, string>)[verdict]!;
}

/** Returns in a few words why evidence is flagged, also while its service fails. */
export function flagLabel(flag: Evidence): string {
  return verdictLabel({ kind: flag.kind, verdict: verdictThatCounts(flag) });
}

const reassuring: readonly Evidence["verdict"][] = ["matched", "read", "unique", "current", "new"];

/** Returns how a verdict looks: a warning where it needs a second look. */
export function toneOf(evidence: Evidence): "caution" | "gain" | "neutral" {
  if (isFlagged(evidence)) return "caution";
  return reassuring.includes(evidence.verdict) ? "gain" : "neutral";
}

const detailNames: Record<string, string> = {
  wallet_address: "Sent to",
  amount_usd: "Price then (USD)",
  amount_crypto: "Amount",
  quoted_at: "Quoted",
  difference_usd: "Difference (USD)",
};

/** Returns what a field of the details is called: `amount_received` is "Amount received" unless it has a name here. */
export function detailName(field: string): string {
  const words = field.replaceAll("_", " ");
  return detailNames[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
