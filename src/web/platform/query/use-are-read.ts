import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const maxWaitMs = 1000;

/**
 * Returns whether all of the queries have been read, failed, or kept the page waiting for a second: what stands below their data is shown from
 * then on, since data that came later would move it away under the pointer. Until then it is mounted, but invisible: a component that
 * mounts asks anew for what could not be read.
 */
export function useAreRead(reads: readonly Pick<UseQueryResult, "isPending" | "failureCount">[]): boolean {
  const [isWaitOver, setIsWaitOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsWaitOver(true), maxWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return isWaitOver || reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
}
