import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a refused client may go on sending before its connection is closed, in milliseconds. */
const LINGER_MS = 1000;

/**
 * Closes a connection on which a body is still coming after its request was answered. What comes is discarded for a
 * moment: with bytes unread, the system would reset the connection, and the client might never see its answer.
 */
export function stopReceiving(
  request: IncomingMessage,
  response: ServerResponse,
  isComplete = () => request.complete,
): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls this after an answer to `Connection: close`.
  socket.destroySoon = () => {
    if (isComplete()) destroySoon();
    else socket.end();
  };
  const settle = () => {
    if (!isComplete()) socket.destroy();
    // The connection may serve other requests.
    Reflect.deleteProperty(socket, 'destroySoon');
  };
  response.once('finish', () => {
    if (isComplete()) settle();
    else setTimeout(settle, LINGER_MS).unref();
  });
}
