/**
 * One instance of a function: loads the handler that `vercel build` wrote, and serves it on a Unix socket. Runs in a sandbox
 * with nothing but Node, so it's plain JavaScript. Writes the number of requests it has finished, and whose background
 * work has ended, to file descriptor 3, so that it can be frozen.
 */
const { createServer } = require('node:http');
const { writeSync } = require('node:fs');
const { join } = require('node:path');
const { AsyncLocalStorage } = require('node:async_hooks');
const { Readable } = require('node:stream');

const [, , folder, handler, usesWebApi, socket] = process.argv;
const contexts = new AsyncLocalStorage();
// The platform's own, by which Next finds `waitUntil`.
globalThis[Symbol.for('@vercel/request-context')] = { get: () => contexts.getStore() };

let running = 0;
let finished = 0;

function report() {
  if (running === 0) writeSync(3, `${finished}\n`);
}

/** Runs a request with a context whose `waitUntil` keeps the instance from being frozen. */
function track(run) {
  running += 1;
  const pending = new Set();
  const waitUntil = (work) => {
    const settled = Promise.resolve(work).then(
      () => pending.delete(settled),
      () => pending.delete(settled),
    );
    pending.add(settled);
  };
  const end = async () => {
    while (pending.size > 0) await Promise.all(pending);
    running -= 1;
    finished += 1;
    report();
  };
  return contexts.run({ waitUntil, headers: {}, url: '' }, () => run(end));
}

/** Answers with what a handler of `Request` and `Response` returns. */
async function serveWebApi(handle, request, response) {
  const { host, 'x-forwarded-proto': protocol } = request.headers;
  const result = await handle(
    new Request(`${protocol}://${host}${request.url}`, { method: request.method, headers: request.headers }),
  );
  const headers = {};
  result.headers.forEach((value, name) => {
    if (name !== 'set-cookie') headers[name] = value;
  });
  const cookies = result.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  response.writeHead(result.status, headers);
  if (result.body) Readable.fromWeb(result.body).pipe(response);
  else response.end();
}

async function main() {
  const loaded = await require(join(folder, handler));
  const handle = loaded.default ?? loaded;
  createServer((request, response) => {
    track((end) => {
      response.once('close', end);
      const served = usesWebApi === '1' ? serveWebApi(handle, request, response) : handle(request, response);
      Promise.resolve(served).catch((error) => {
        console.error(error);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
  }).listen(socket, report);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
