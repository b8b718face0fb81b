/**
 * A server child that speaks the control link and nothing else, for tests of the supervisor: how it behaves is said by FAKE_SERVER, which
 * reaches it through the launch plan's environment.
 */
import process from 'node:process';

const behaviour = process.env['FAKE_SERVER'] ?? 'serve';
const send = (message: unknown): void => void process.send?.(message);

process.on('message', (message: { kind: string; id?: number; method?: string; params?: unknown }) => {
  if (message.kind === 'shutdown') {
    if (behaviour === 'hang-on-shutdown') return;
    console.log('shutting down');
    process.exit(['fail-on-shutdown', 'unpacking'].includes(behaviour) ? 1 : 0);
  }
  if (message.method === 'packages.list') process.exit(7);
  if (message.method === 'directory.projects') return;
  send({ kind: 'reply', id: message.id, ok: true, value: { method: message.method, environment: process.env } });
});
process.on('disconnect', () => process.exit());

console.log('fake server started');
switch (behaviour) {
  case 'die-at-once':
    console.error('something is wrong');
    process.exitCode = 1;
    process.disconnect?.();
    break;
  case 'port-taken':
    send({ kind: 'start-failed', failure: 'portTaken', message: 'Port 4899 is used by nginx (pid 4711).' });
    process.exitCode = 10;
    process.disconnect?.();
    break;
  case 'fail-and-stay':
    send({ kind: 'start-failed', failure: 'databaseDamaged', message: 'The database is damaged.' });
    break;
  case 'unpacking':
    process.stderr.write('progress: Reading the archive\nprogress: Unpacking the archive 40 %\n');
    break;
  case 'never-ready':
    break;
  default:
    send({ kind: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: process.pid });
    send({ kind: 'event', seq: 1, topic: 'directory.changed', payload: { subject: 'user' } });
}
