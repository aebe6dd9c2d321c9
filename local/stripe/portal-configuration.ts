import { asForm, asList, asText } from './form';
import type { PortalConfiguration } from './store';

/** Returns whether changes to a cheaper price wait for the end of the period. */
export function schedulesDowngrades({ features }: PortalConfiguration): boolean {
  const { conditions } = asForm(asForm(features.subscription_update).schedule_at_period_end);
  return asList(conditions).some((condition) => asForm(condition).type === 'decreasing_item_amount');
}

/** Returns the prices a customer may change to. */
export function allowedPrices({ features }: PortalConfiguration): string[] {
  const update = asForm(features.subscription_update);
  if (update.enabled !== 'true') return [];
  return asList(update.products)
    .flatMap((product) => asList(asForm(product).prices))
    .flatMap((price) => asText(price) ?? []);
}
