import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppState, BridgeEvent } from '../../../server/contract/bridge.ts';
import type { HostLimits } from './server-child.ts';
import { ServerHost } from './server-host.ts';

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

/** A host over the fake server; each launch takes the next behaviour, and the last one repeats. */
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
    until: async (phase) => {
      const reached = Promise.withResolvers<AppState>();
      const stop = host.onState((state) => state.phase === phase && reached.resolve(state));
      if (host.state.phase === phase) reached.resolve(host.state);
      return (await reached.promise.finally(stop)) as AppState & { phase: typeof phase };
    },
  };
}

describe('hosting the server', () => {
  it('reports where it listens once it is ready, and carries calls', async () => {
    const { host, until } = hostOf(['serve']);
    host.start();
    const ready = await until('ready');
    expect(ready.origin).toBe('http://127.0.0.1:4899');
    const reply = await host.call('server.status', {});
    expect(reply).toMatchObject({ ok: true, value: { method: 'server.status' } });
  });

  it('passes on no environment variable that the plan does not name', async () => {
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

  it('replies app_unavailable without a server', async () => {
    const { host } = hostOf(['serve']);
    expect(await host.call('server.status', {})).toMatchObject({ ok: false, error: { code: 'app_unavailable' } });
  });

  it('replies app_timeout at the deadline', async () => {
    const { host, until } = hostOf(['serve'], { call: 50 });
    host.start();
    await until('ready');
    expect(await host.call('directory.projects', {})).toMatchObject({ ok: false, error: { code: 'app_timeout' } });
  });

  it('notices a server that is frozen, and one that answers again', async () => {
    const { host, until } = hostOf(['serve'], { heartbeat: 50 });
    host.start();
    const { pid } = await until('ready');
    process.kill(pid, 'SIGSTOP');
    await expect.poll(() => host.state).toMatchObject({ phase: 'ready', answering: false });
    process.kill(pid, 'SIGCONT');
    await expect.poll(() => host.state).toMatchObject({ phase: 'ready', answering: true });
  });

  it('replaces a frozen server without waiting for it to stop', async () => {
    const { host, until, states } = hostOf(['serve'], { heartbeat: 50, failedExit: 50 });
    host.start();
    const { pid } = await until('ready');
    process.kill(pid, 'SIGSTOP');
    await expect.poll(() => host.state).toMatchObject({ answering: false });
    await host.restart();
    await until('ready');
    expect(states.map((state) => state.phase)).toEqual(['starting', 'ready', 'ready', 'starting', 'ready']);
    expect(host.state).toMatchObject({ answering: true });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('rejects pending calls when the server dies, and restarts it', async () => {
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

  it('does not restart a server that died before it was ready, and shows the end of its log', async () => {
    const { host, until, states } = hostOf(['die-at-once']);
    host.start();
    const failed = await until('failed');
    expect(failed).toMatchObject({ failure: 'failed', cause: 'It ended with exit code 1.' });
    expect(failed.logTail).toContain('something is wrong');
    expect(states.map((state) => state.phase)).toEqual(['starting', 'failed']);
  });

  it('gives up on a known cause, which the server names, until a retry', async () => {
    const { host, until } = hostOf(['port-taken', 'serve']);
    host.start();
    const failed = await until('failed');
    expect(failed).toMatchObject({ failure: 'portTaken', cause: 'Port 4899 is used by nginx (pid 4711).' });
    host.retry();
    await until('ready');
  });

  it.each([
    ['reports its failure and does not exit', 'fail-and-stay', 'databaseDamaged', 'The database is damaged.'],
    ['is never ready', 'never-ready', 'failed', 'not ready'],
  ])('kills a server that %s', async (_name, behaviour, failure, cause) => {
    const { host, until } = hostOf([behaviour], behaviour === 'never-ready' ? { start: 300 } : { failedExit: 50 });
    host.start();
    expect(await until('failed')).toMatchObject({ failure, cause: expect.stringContaining(cause) as string });
  });

  it.each([
    ['requests a shutdown', 'serve', 'shutting down'],
    ['kills a server that does not shut down', 'hang-on-shutdown', 'fake server started'],
  ])('%s', async (_name, behaviour, lastOutput) => {
    const { host, until, output } = hostOf([behaviour], behaviour === 'serve' ? {} : { stop: 50 });
    host.start();
    const { pid } = await until('ready');
    await host.stop();
    expect(output()).toContain(lastOutput);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('starts after a work on the data that was under way when a retry was asked for', async () => {
    const { host, until } = hostOf(['port-taken', 'serve']);
    host.start();
    await until('failed');
    const done = Promise.withResolvers<undefined>();
    const work = host.runWhileStopped(() => done.promise);
    host.retry();
    expect(host.state.phase).toBe('failed');
    done.resolve(undefined);
    await work;
    await until('ready');
  });

  it('does one work on the data at a time, and starts no server between them', async () => {
    const { host, until } = hostOf(['port-taken', 'serve']);
    host.start();
    await until('failed');
    const done = Promise.withResolvers<undefined>();
    const order: string[] = [];
    const works = [
      host.runWhileStopped(() => done.promise.then(() => order.push('first'))),
      host.runWhileStopped(() => {
        order.push(`second, ${host.state.phase}`);
        return Promise.resolve();
      }),
    ];
    host.retry();
    done.resolve(undefined);
    await Promise.all(works);
    await until('ready');
    expect(order).toEqual(['first', 'second, failed']);
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

  it('fails when the Node of GATEHOUSE_NODE does not exist', async () => {
    const host = new ServerHost({
      launch: () => startNode({ entry: fakeServer, args: [], env: {} }, '/no/such/node'),
    });
    host.start();
    await expect.poll(() => host.state.phase).toBe('failed');
  });
});
