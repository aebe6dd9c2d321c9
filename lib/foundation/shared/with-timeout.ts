/**
 * Waits for a promise, but not for longer than a time in milliseconds. What it waits for isn't canceled.
 * @param onTimeout says what to return instead once the time is up, or throws
 */
export async function withTimeout<Result, Late>(
  promise: Promise<Result>,
  milliseconds: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return Promise.race([promise, timeout.then(onTimeout)]).finally(() => clearTimeout(timer));
}
