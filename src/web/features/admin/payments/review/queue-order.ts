interface Queued {
  id: string;
  status: string;
}

/** Returns the id of the pending request that comes `steps` after (or before) one; undefined at the end. From one that is not in the queue, the first. */
export function neighbour(queue: readonly Queued[], id: string | undefined, steps: 1 | -1): string | undefined {
  const from = queue.findIndex((one) => one.id === id);
  if (from < 0) return queue.find(isPending)?.id;
  for (let index = from + steps; index >= 0 && index < queue.length; index += steps) {
    if (isPending(queue[index]!)) return queue[index]!.id;
  }
  return undefined;
}

/** Returns the id of what is decided next after a request: the next pending one, otherwise the nearest before it. */
export function nextToDecide(queue: readonly Queued[], id: string): string | undefined {
  const others = queue.map((one) => (one.id === id ? { ...one, status: "decided" } : one));
  return neighbour(others, id, 1) ?? neighbour(others, id, -1);
}

const isPending = ({ status }: Queued): boolean => status === "pending";
