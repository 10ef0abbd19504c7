import type { ReactNode } from "react";
import { roughly } from "../../platform/format.ts";
import { useApprovalSeconds } from "./queries.ts";

/** A sentence about the wait, measured from real approvals; nothing while there are too few of them. */
export function ApprovalTime(): ReactNode {
  const seconds = useApprovalSeconds();
  return seconds === undefined ? null : <span>{`Lately it took about ${roughly(seconds)}.`}</span>;
}
