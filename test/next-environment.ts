import { AsyncLocalStorage } from 'node:async_hooks';

// As Next's server does before anything else of Next loads, which otherwise has nowhere to keep a request.
Object.assign(globalThis, { AsyncLocalStorage });
