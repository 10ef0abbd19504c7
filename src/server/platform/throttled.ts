/**
 * Returns a function that calls `action` at once, or, less than `pauseMs` after the last time, once at the end of that pause for all calls
 * meanwhile.
 */
export function throttled(action: () => void, pauseMs: number): () => void {
  let isPaused = false;
  let isDue = false;
  return function call() {
    if (isPaused) {
      isDue = true;
      return;
    }
    isPaused = true;
    isDue = false;
    setTimeout(() => {
      isPaused = false;
      if (isDue) call();
    }, pauseMs).unref();
    action();
  };
}
