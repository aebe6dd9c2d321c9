interface Client<Holder> {
  bytes: number;
  /** Bytes of each holder, the one that holds something for longest first. */
  holders: Map<Holder, number>;
}

/**
 * Bounds the memory that clients occupy. When there's too much, the holder that has had something for longest is dropped,
 * so that slow clients can't fill the memory and quick ones get through.
 * @param limits.client - bytes for one client's address
 * @param limits.total - bytes for all of them together
 * @param limits.sparesLatest - whether the holder that just got more isn't dropped, however much it has
 */
export function createByteBudget<Holder>(
  limits: { client: number; total: number; sparesLatest: boolean },
  drop: (holder: Holder) => void,
) {
  const clients = new Map<string, Client<Holder>>();
  /** The client of each holder, in the order of {@link Client.holders}. */
  const addresses = new Map<Holder, string>();
  let total = 0;

  /** Returns how many bytes a holder has. */
  const heldBy = (holder: Holder): number =>
    clients.get(addresses.get(holder) ?? '')?.holders.get(holder) ?? 0;

  const release = (holder: Holder): void => {
    const address = addresses.get(holder);
    const client = address === undefined ? undefined : clients.get(address);
    if (address === undefined || !client) return;
    const bytes = client.holders.get(holder) ?? 0;
    total -= bytes;
    client.bytes -= bytes;
    client.holders.delete(holder);
    addresses.delete(holder);
    if (client.holders.size === 0) clients.delete(address);
  };

  /** Drops the first of `holders` that may be dropped. Returns whether there was one. */
  const dropFirst = (holders: Iterable<Holder>, latest: Holder): boolean => {
    for (const holder of holders) {
      if (limits.sparesLatest && holder === latest) continue;
      release(holder);
      drop(holder);
      return true;
    }
    return false;
  };

  /** Notes that a holder has this many bytes now, and drops others, or itself, if that's too many. */
  const hold = (holder: Holder, address: string, bytes: number): void => {
    const known = addresses.get(holder) ?? address;
    const client = clients.get(known) ?? { bytes: 0, holders: new Map<Holder, number>() };
    const more = bytes - (client.holders.get(holder) ?? 0);
    client.holders.set(holder, bytes);
    client.bytes += more;
    total += more;
    clients.set(known, client);
    addresses.set(holder, known);
    while (client.bytes > limits.client && dropFirst(client.holders.keys(), holder));
    while (total > limits.total && dropFirst(addresses.keys(), holder));
  };
  return { hold, heldBy, release };
}
