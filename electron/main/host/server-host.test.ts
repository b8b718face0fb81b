import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppState, BridgeEvent } from '../../../server/contract/bridge.ts';
import { ServerHost, type HostLimits } from './server-host.ts';

vi.mock('electron', () => ({}));
const { startNode } = await import('./server-process.ts');

const fakeServer = path.resolve(import.meta.dirname, '../../../test/support/fake-server.ts');
const hosts: ServerHost[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

interface Hosted {
  readonly host: ServerHost;
  readonly states: AppState[];
  readonly output: () => string;
  readonly until: <P extends AppState['phase']>(phase: P) => Promise<AppState & { phase: P }>;
}

/** A host over the fake server, each launch of which behaves as the next word says (the last one repeats). */
function hostOf(behaviours: string[], limits: Partial<HostLimits> = {}): Hosted {
  let launches = 0;
  let output = '';
  const host = new ServerHost({
    launch: () => {
      const behaviour = behaviours[Math.min(launches, behaviours.length - 1)] ?? 'serve';
      launches += 1;
      return startNode({ entry: fakeServer, args: [], env: { FAKE_SERVER: behaviour } }, process.execPath);
    },
    onOutput: (text) => (output += text),
    limits,
  });
  hosts.push(host);
  const states: AppState[] = [];
  host.onState((state) => states.push(state));
  return {
    host,
    states,
    output: () => output,
    until: (phase) =>
      new Promise((resolve) => {
        const check = (state: AppState): boolean => {
          const found = state.phase === phase;
          if (found) resolve(state as AppState & { phase: typeof phase });
          return found;
        };
        if (check(host.state)) return;
        const stop = host.onState((state) => {
          if (check(state)) stop();
        });
      }),
  };
}

describe('hosting the server', () => {
  it('tells where it listens once it is ready, and carries calls', async () => {
    const { host, until } = hostOf(['serve']);
    host.start();
    const ready = await until('ready');
    expect(ready.origin).toBe('http://127.0.0.1:4899');
    const reply = await host.call('server.status', {});
    expect(reply).toMatchObject({ ok: true, value: { method: 'server.status' } });
  });

  it('gives the child nothing of the environment that the plan does not name', async () => {
    process.env['OTHER_SECRET'] = 'x';
    const { host, until } = hostOf(['serve']);
    host.start();
    await until('ready');
    const reply = (await host.callFromWindow('server.status', {})) as {
      value: { environment: Record<string, string> };
    };
    delete process.env['OTHER_SECRET'];
    expect(reply.value.environment).not.toHaveProperty('OTHER_SECRET');
    expect(reply.value.environment).toHaveProperty('FAKE_SERVER');
  });

  it('passes on events', async () => {
    const { host } = hostOf(['serve']);
    const events: BridgeEvent[] = [];
    host.onEvent((event) => events.push(event));
    host.start();
    await expect.poll(() => events.length).toBe(1);
    await host.call('server.status', {});
    expect(events).toEqual([{ seq: 1, topic: 'directory.changed', payload: { subject: 'user' } }]);
  });

  it('answers without a server that there is none', async () => {
    const { host } = hostOf(['serve']);
    expect(await host.call('server.status', {})).toMatchObject({ ok: false, error: { code: 'app_unavailable' } });
  });

  it('answers at the deadline when the server does not', async () => {
    const { host, until } = hostOf(['serve'], { call: 50 });
    host.start();
    await until('ready');
    expect(await host.call('directory.projects', {})).toMatchObject({ ok: false, error: { code: 'app_timeout' } });
  });

  it('rejects pending calls when the server dies, and starts it again', async () => {
    const { host, until } = hostOf(['serve']);
    host.start();
    const first = await until('ready');
    const waiting = host.call('directory.projects', {});
    const deadly = host.call('packages.list', {});
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'app_unavailable' } });
    expect(await deadly).toMatchObject({ ok: false, error: { code: 'app_unavailable' } });
    const restarting = await until('restarting');
    expect(restarting).toMatchObject({ attempt: 1, cause: expect.stringContaining('exit code 7') as string });
    expect(restarting.logTail).toContain('fake server started');
    const second = await until('ready');
    expect(second.pid).not.toBe(first.pid);
  });

  it('does not start again what died before it was ready, and shows its last words', async () => {
    const { host, until, states } = hostOf(['die-at-once']);
    host.start();
    const failed = await until('failed');
    expect(failed.failure).toBe('crashed');
    expect(failed.logTail).toContain('something is wrong');
    expect(states.map((state) => state.phase)).toEqual(['starting', 'failed']);
  });

  it('gives up on a known cause, in the words of the server, until it is told to retry', async () => {
    const { host, until } = hostOf(['port-taken', 'serve']);
    host.start();
    const failed = await until('failed');
    expect(failed).toMatchObject({ failure: 'portTaken', cause: 'Port 4899 is used by nginx (pid 4711).' });
    host.retry();
    await until('ready');
  });

  it('ends a server that names its failure and stays', async () => {
    const { host, until } = hostOf(['fail-and-stay'], { failedExit: 50 });
    host.start();
    expect(await until('failed')).toMatchObject({ failure: 'databaseDamaged', cause: 'The database is damaged.' });
  });

  it('ends a server that never becomes ready', async () => {
    const { host, until } = hostOf(['never-ready'], { start: 300 });
    host.start();
    expect((await until('failed')).cause).toContain('not ready');
  });

  it('asks the server to stop', async () => {
    const { host, until, output } = hostOf(['serve']);
    host.start();
    const { pid } = await until('ready');
    await host.stop();
    expect(output()).toContain('shutting down');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('kills a server that does not stop', async () => {
    const { host, until } = hostOf(['hang-on-shutdown'], { stop: 50 });
    host.start();
    const { pid } = await until('ready');
    await host.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('shows why nothing could be launched', () => {
    const host = new ServerHost({
      launch: () => {
        throw new Error('The Node inside is too old.');
      },
    });
    host.start();
    expect(host.state).toMatchObject({ phase: 'failed', failure: 'notStarted', cause: 'The Node inside is too old.' });
  });

  it('tells when the Node that was named does not exist', async () => {
    const host = new ServerHost({
      launch: () => startNode({ entry: fakeServer, args: [], env: {} }, '/no/such/node'),
    });
    host.start();
    await expect.poll(() => host.state.phase).toBe('failed');
  });
});
