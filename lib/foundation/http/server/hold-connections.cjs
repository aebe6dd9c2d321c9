/**
 * Preloaded into the site's server (`node --require`). Next listens before it runs `instrumentation.ts`, so what connects
 * in between would get past the guard. It waits here, unread, until `interceptServers` takes it.
 */
const { Server } = require('node:http');
const { isMainThread } = require('node:worker_threads');

const { emit } = Server.prototype;
const connections = [];

/** Holds a server's connections back, and passes everything else on. */
function hold(event, ...args) {
  if (event !== 'connection') return emit.call(this, event, ...args);
  const [socket] = args;
  // Without a listener, a client that disconnects would end the process.
  socket.on('error', () => undefined);
  connections.push({ server: this, socket });
  return true;
}

// Threads get the same options.
if (isMainThread) {
  Server.prototype.emit = hold;
  globalThis.daylightHeldConnections = { emit, connections };
}
