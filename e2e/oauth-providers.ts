import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Whom a person is at a provider, as the test fills it in there. */
export interface Persona {
  id: string;
  email: string;
  verified: boolean;
  name: string;
}

const CLIENT = { id: 'daylight', secret: 'a secret between the two' };

interface Grant {
  persona: Persona;
  redirectUri: string;
  challenge: string;
  nonce: string | null;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/**
 * An OpenID provider (as Google) and an OAuth server with GitHub's API, each with a page where one says who one is.
 * They insist on what the protocols demand: known client, exact redirect, PKCE, codes that work once.
 * @returns the variables that point Daylight to them, and what stops them
 */
export async function startOAuthProviders(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const signedIn = new Map<string, Persona>();
  let issuer = '';

  function ask(response: ServerResponse, query: URLSearchParams): void {
    const complete =
      query.get('client_id') === CLIENT.id &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      Boolean(query.get('state') && query.get('code_challenge'));
    if (!complete) {
      json(response, { error: 'invalid_request' }, 400);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Provider</title><link rel="icon" href="data:,"><form method="post"><label>Persona <input name="persona"></label>
      <button name="answer" value="yes">Allow</button><button name="answer" value="no">Cancel</button></form>`);
  }

  function answer(response: ServerResponse, query: URLSearchParams, form: URLSearchParams): void {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    if (form.get('answer') === 'no') back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      grants.set(code, {
        persona: JSON.parse(form.get('persona') ?? ''),
        redirectUri: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge') ?? '',
        nonce: query.get('nonce'),
      });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function exchange(
    request: IncomingMessage,
    response: ServerResponse,
    openId: boolean,
  ): Promise<void> {
    const form = await readForm(request);
    const basic = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    const secret =
      form.get('client_secret') ?? decodeURIComponent(basic.split(':')[1] ?? '').replaceAll('+', ' ');
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      secret !== CLIENT.secret ||
      grant?.challenge !== verifier ||
      grant.redirectUri !== form.get('redirect_uri')
    ) {
      json(response, { error: 'invalid_grant' }, 400);
      return;
    }
    const token = randomUUID();
    signedIn.set(token, grant.persona);
    const { id, email, verified, name } = grant.persona;
    const idToken = await new SignJWT({ email, email_verified: verified, name, nonce: grant.nonce })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .setIssuer(issuer)
      .setAudience(CLIENT.id)
      .setSubject(id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    json(response, { access_token: token, token_type: 'bearer', ...(openId ? { id_token: idToken } : {}) });
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const persona = signedIn.get(request.headers.authorization?.split(' ')[1] ?? '');
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      case '/jwks':
        return json(response, { keys: [key] });
      case '/authorize':
      case '/login/oauth/authorize':
        if (request.method === 'GET') return ask(response, url.searchParams);
        return answer(response, url.searchParams, await readForm(request));
      case '/token':
      case '/login/oauth/access_token':
        return exchange(request, response, url.pathname === '/token');
      case '/api/v3/user':
        return json(response, { id: persona?.id, login: persona?.name, name: persona?.name, email: null });
      case '/api/v3/user/emails':
        return json(response, [
          { email: `old-${persona?.email}`, primary: false, verified: true },
          { email: persona?.email, primary: true, verified: persona?.verified },
        ]);
      default:
        return json(response, { error: 'not_found' }, 404);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    GOOGLE_CLIENT_ID: CLIENT.id,
    GOOGLE_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_ISSUER: issuer,
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_BASE_URL: issuer,
  };
  return { env, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
