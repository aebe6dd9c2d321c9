/**
 * Preloaded into the site's server (`node --require`). Next listens before it runs `instrumentation.ts`, so what connects
 * in between would get past the guard. Its connections wait here, unread, until `interceptServers` takes them.
 */
const { Server } = require('node:http');

const { emit } = Server.prototype;
const connections = [];

Server.prototype.emit = function hold(event, ...args) {
  if (event !== 'connection') return emit.call(this, event, ...args);
  const [socket] = args;
  // Without a listener, a client that disconnects would end the process.
  socket.on('error', () => undefined);
  connections.push({ server: this, socket });
  return true;
};

globalThis.daylightHeldConnections = { emit, connections };
