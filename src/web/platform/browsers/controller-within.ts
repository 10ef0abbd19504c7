/** Returns a controller that `signal` aborts too. `AbortSignal.any` is missing in Safari before 17.4. */
export function controllerWithin(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { signal: controller.signal });
  return controller;
}
