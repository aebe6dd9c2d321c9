import {
  type AppRouteRouteHandlerContext,
  AppRouteRouteModule,
} from 'next/dist/server/route-modules/app-route/module';
import { NextRequest } from 'next/server';
import { newClientInfo } from './client-info';

type Sent = { body?: unknown; headers?: Record<string, string>; params?: Record<string, string> };

/**
 * A browser at route handlers, which runs them as Next does, without a server: with its cookies, and with what they leave
 * for after the response, which is done when a call ends. For what depends on cookies; everything else can be called
 * without Next.
 */
export function createRouteBrowser() {
  const jar = new Map<string, string>();
  const { address } = newClientInfo();

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, decodeURIComponent(value));
    }
  }

  return {
    jar,
    /** Calls a route's handler. @param path with its query @returns status, address to go to, cookies that were set, and the body's JSON */
    async send(route: object, method: string, path: string, { body, headers, params }: Sent = {}) {
      const module = new AppRouteRouteModule({
        userland: () => route as never,
        definition: {
          kind: 'APP_ROUTE',
          page: '/route',
          pathname: '/route',
          filename: '',
          bundlePath: '',
        } as never,
        ...{ distDir: '', relativeProjectDir: '', resolvedPagePath: '/route', nextConfigOutput: undefined },
      });
      await module.ensureUserland();
      const origin = String(process.env['APP_URL']);
      const cookie = [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
      const request = new NextRequest(new URL(path, origin), {
        method,
        headers: {
          ...{ origin, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
          ...(cookie && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const onClose: (() => void)[] = [];
      const work: Promise<unknown>[] = [];
      const context = {
        params,
        ...{ previewProps: {}, sharedContext: { buildId: '', deploymentId: '' } },
        renderOpts: {
          ...{ experimental: {}, cacheComponents: false },
          waitUntil: (one: Promise<unknown>) => void work.push(one),
          onClose: (close: () => void) => void onClose.push(close),
        },
      } as unknown as AppRouteRouteHandlerContext;
      const response = await module.handle(request, context);
      for (const close of onClose) close();
      await Promise.all(work);
      keepCookies(response);
      const text = await response.text();
      return {
        status: response.status,
        location: response.headers.get('location'),
        setCookie: response.headers.getSetCookie(),
        json: text && JSON.parse(text),
      };
    },
  };
}
