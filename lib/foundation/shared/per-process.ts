/**
 * Returns what this process keeps under a name, and creates it the first time. Next.js bundles a module once for every entry
 * point that imports it, so each bundle has its own copy of a module's variables: this is for what must be one for all of
 * them, such as the connection pool.
 * @param name of its own in the whole app
 */
export function perProcess<T extends object>(name: string, create: () => T): T {
  const key = Symbol.for(`daylight.${name}`);
  const instances = globalThis as { [key: symbol]: T | undefined };
  const instance = instances[key] ?? create();
  instances[key] = instance;
  return instance;
}
