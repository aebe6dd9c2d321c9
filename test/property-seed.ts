import * as fc from 'fast-check';

/**
 * Property tests take the same values in every run, so that a change is judged by what it changes.
 * `PROPERTY_SEED=random` looks for new ones, and a number repeats what such a run has found.
 */
const seed = process.env.PROPERTY_SEED ?? '20261122';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
