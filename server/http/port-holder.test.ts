import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describePortHolder, holderFromLsof, holderFromTasklist, pidFromNetstat, programName } from './port-holder.ts';

it.runIf(process.platform === 'linux')('names the program that listens, and not one of its threads', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(describePortHolder(port)).toMatch(new RegExp(`^"(?!MainThread).+" \\(process ${process.pid}\\)$`));
  server.close();
  await once(server, 'close');
  expect(describePortHolder(port)).toBeUndefined();
});

it.each([
  [['/usr/bin/node', '--no-warnings', '/srv/app/server.js', '80'], 'node server.js'],
  [['/usr/bin/python3.11', '-m', 'http.server'], 'python3.11 http.server'],
  [['nginx: master process /usr/sbin/nginx'], 'nginx'],
  [['/opt/My App/app', '--type=gpu'], 'app'],
  [['node'], 'node'],
  [[''], ''],
])('names %j as %j', (words, name) => {
  expect(programName(words)).toBe(name);
});

it('reads what macOS and Windows print', () => {
  expect(holderFromLsof('p812\ncnode\nf22\n')).toEqual({ pid: '812', name: 'node' });
  expect(holderFromLsof('')).toBeUndefined();
  const netstat = [
    'Active Connections',
    '  Proto  Local Address          Foreign Address        State           PID',
    '  TCP    127.0.0.1:48990        0.0.0.0:0              LISTENING       7',
    '  TCP    127.0.0.1:4899         127.0.0.1:51000        ESTABLISHED     8',
    '  TCP    127.0.0.1:4899         0.0.0.0:0              ABHÖREN         9',
  ].join('\r\n');
  expect(pidFromNetstat(netstat, 4899)).toBe('9');
  expect(pidFromNetstat(netstat, 1)).toBeUndefined();
  expect(holderFromTasklist('"node.exe","9","Console","1","30,000 K"\r\n')).toEqual({ pid: '9', name: 'node.exe' });
  expect(holderFromTasklist('INFO: No tasks are running which match the specified criteria.')).toBeUndefined();
});
