import { stripeError } from './errors';
import { serializeInvoice, serializeSchedule, serializeSubscription } from './serializers';
import type { State } from './store';

type Json = Record<string, unknown>;

/** Returns the object of an id, as the app asks for it: a subscription, its schedule or its latest invoice. */
function lookUp(state: State, id: string): unknown {
  const finders: Record<string, () => unknown> = {
    sub: () => state.subscriptions[id] && serializeSubscription(state, state.subscriptions[id]),
    sub_sched: () => state.schedules[id] && serializeSchedule(state.schedules[id]),
    in: () => state.invoices[id] && serializeInvoice(state.invoices[id]),
  };
  return finders[id.slice(0, id.lastIndexOf('_'))]?.();
}

function expandOne(state: State, holder: Json, [name = '', ...rest]: string[], path: string): void {
  const value = holder[name];
  const found = typeof value === 'string' ? lookUp(state, value) : value;
  if (found === undefined) throw stripeError({ message: `This property cannot be expanded (${path}).` });
  holder[name] = found;
  if (rest.length === 0 || found === null) return;
  for (const inner of Array.isArray(found) ? found : [found]) expandOne(state, inner as Json, rest, path);
}

/** Replaces ids in a response with their objects, as `expand` asks. */
export function expand(state: State, response: unknown, paths: string[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(response));
  for (const path of paths) expandOne(state, copy as Json, path.split('.'), path);
  return copy;
}
