/** Milliseconds between two wake-ups of a worker by changes, so that one run does what many changes leave to do. */
const wakePauseMs = 100;

/**
 * Returns a function that calls `action` at once, or, less than `pauseMs` after the last time, once at the end of that pause for all calls
 * meanwhile.
 */
export function throttled(action: () => void, pauseMs = wakePauseMs): () => void {
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
