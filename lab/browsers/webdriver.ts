/** The key of an element's reference, which the standard fixes. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A reference to an element, as JSON. */
export type ElementReference = Record<typeof ELEMENT, string>;

/** A thin client of W3C WebDriver. */
export interface WebDriver {
  /** Sends a command below the session's path. @throws Error with the driver's message */
  send<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>;
  /** Sends a command about an element. */
  sendTo<T>(element: ElementReference, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  /** Runs an expression that gives a promise, and returns what it resolves to. */
  run<T>(expression: string): Promise<T>;
}

async function request<T>(method: string, address: string, body?: object): Promise<T> {
  const response = await fetch(address, {
    method,
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Starts a session of the driver at an address. @returns its client, and the capabilities that it got */
export async function openWebDriver(
  driver: string,
  alwaysMatch: object,
): Promise<{ client: WebDriver; capabilities: Record<string, unknown> }> {
  const { sessionId, capabilities } = await request<{
    sessionId: string;
    capabilities: Record<string, unknown>;
  }>('POST', `${driver}/session`, { capabilities: { alwaysMatch } });
  const send: WebDriver['send'] = (method, path, body) =>
    request(method, `${driver}/session/${sessionId}${path}`, body);
  return {
    capabilities,
    client: {
      send,
      sendTo: (element, method, path, body) => send(method, `/element/${element[ELEMENT]}${path}`, body),
      async run<T>(expression: string) {
        const script = `const done = arguments[arguments.length - 1];
          (${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
        const answer = await send<{ value: T; error?: string }>('POST', '/execute/async', {
          script,
          args: [],
        });
        if (answer.error) throw new Error(answer.error);
        return answer.value;
      },
    },
  };
}
