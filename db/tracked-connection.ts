/** What postgres.js tells about the connection that it sends a query on, which its types omit. */
interface Connection {
  terminate(): void;
}

interface QueryOptions {
  /** Returns whether the connection may take further queries meanwhile. */
  onexecute?: (connection: Connection) => unknown;
}

/**
 * Makes it possible to end the connection of a query that's given up. A pooler would otherwise run the query as soon as
 * it can, and a BEGIN would then hold a connection to Postgres that nobody ends. postgres.js doesn't tell the connection
 * of a query whose parameters it asks about first; see `keepFromRunning`.
 * @returns the query's options to use instead, and what ends its connection, also one that it's sent on later
 */
export function trackConnection<Options extends object>(
  given?: Options,
): { options: Options; endConnection: () => void } {
  const { onexecute } = (given ?? {}) as QueryOptions;
  let connection: Connection | undefined;
  let isGivenUp = false;
  const options = {
    ...given,
    onexecute: (used: Connection) => {
      connection = used;
      if (isGivenUp) queueMicrotask(() => used.terminate());
      return onexecute ? onexecute(used) : true;
    },
  };
  const endConnection = () => {
    isGivenUp = true;
    connection?.terminate();
  };
  return { options: options as unknown as Options, endConnection };
}

/**
 * Keeps a query from running whose parameters postgres.js asks about first, if the answer comes after it was given up:
 * postgres.js can't send these, so it ends the query instead.
 */
export function keepFromRunning(query: object): void {
  Object.assign(query, { parameters: {} });
}
