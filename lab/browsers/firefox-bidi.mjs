#!/usr/bin/env node
/**
 * Starts Firefox and passes WebDriver BiDi between it and Playwright. Answers by itself the commands that Debian's
 * Firefox doesn't know yet, without which Playwright gives up: none of the journeys needs what they do.
 */
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

const UNKNOWN_COMMANDS = ['emulation.setMediaFeaturesOverride'];

// It's in the group that Playwright kills.
const firefox = spawn(process.env.FIREFOX_PROGRAM ?? 'firefox', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));

function pass(client, address) {
  const waiting = [];
  const browser = new WebSocket(address);
  browser.once('open', () => {
    for (const message of waiting.splice(0)) browser.send(message);
  });
  client.on('message', (data) => {
    const message = String(data);
    const { id, method } = JSON.parse(message);
    if (UNKNOWN_COMMANDS.includes(method)) client.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (browser.readyState === WebSocket.OPEN) browser.send(message);
    else waiting.push(message);
  });
  browser.on('message', (data) => client.send(String(data)));
  browser.on('close', () => client.close());
  browser.on('error', () => client.close());
  client.on('close', () => browser.close());
}

firefox.stderr.setEncoding('utf8').on('data', (text) => {
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
  if (!address) return process.stderr.write(text);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () =>
    // Playwright looks for this line.
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on('connection', (client) => pass(client, `${address}/session`));
});
