/** The Web Locks of a browser, which its tabs share. */
export function createLocks(): Pick<LockManager, 'request'> {
  const waiting = new Map<string, (() => void)[]>();
  async function request(name: string, ...rest: unknown[]) {
    const work = rest.at(-1) as LockGrantedCallback<unknown>;
    const [options] = rest as [LockOptions];
    const others = waiting.get(name);
    if (others && options.ifAvailable) return work(null);
    if (others) await new Promise<void>((resolve) => void others.push(resolve));
    else waiting.set(name, []);
    try {
      return await work({ name, mode: 'exclusive' });
    } finally {
      const next = waiting.get(name)?.shift();
      if (next) next();
      else waiting.delete(name);
    }
  }
  return { request: request as LockManager['request'] };
}

/** A browser's local storage. */
export function createStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** An XMLHttpRequest, as far as files and parts are sent with it. */
export function requestClass(send: typeof fetch) {
  return class {
    upload: { onprogress?: (event: { loaded: number }) => void } = {};
    status = 0;
    responseText = '';
    onload = () => {};
    onabort = () => {};
    onerror = () => {};
    onloadend = () => {};
    #method = '';
    #url = '';
    #headers: Record<string, string> = {};
    #controller = new AbortController();
    open(method: string, url: string) {
      this.#method = method;
      this.#url = url;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value;
    }
    abort() {
      this.#controller.abort();
    }
    async send(body: Blob | FormData) {
      const { signal } = this.#controller;
      const file = body instanceof FormData ? (body.get('file') as File) : body;
      try {
        const request = { method: this.#method, headers: this.#headers, body, signal };
        const response = await send(this.#url, request);
        this.status = response.status;
        // At the end only, since fetch reports no progress.
        this.upload.onprogress?.({ loaded: file.size });
        this.responseText = await response.text();
        this.onload();
      } catch {
        if (signal.aborted) this.onabort();
        else this.onerror();
      }
      this.onloadend();
    }
  };
}
