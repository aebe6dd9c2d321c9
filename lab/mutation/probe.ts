/** The global function that a probe calls with a file and a function's key. `coverage-setup.ts` defines it. */
export const PROBE = '__daylightRan';
