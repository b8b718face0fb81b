import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scaled } from '../support/scale.ts';
import { gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';
import { isGone } from './support/ledger.ts';

const rounds = scaled('GATEHOUSE_KILL_ROUNDS', { short: 5, full: 60 });
const releasesPerRound = 6;
const api = '/api/v4/projects/1';
const npm = `${api}/packages/npm`;

interface Waiting {
  readonly id: string;
  readonly package_name: string;
  readonly approvals: readonly { readonly user: { readonly username: string } }[];
}

useDataFolder();

test(`publishes by the last approval or keeps it waiting with those before, killed ${rounds} times in between`, async () => {
  let server = await start();
  const call = async <T>(method: string, path: string, body?: unknown, token = rootToken): Promise<T> => {
    const json =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await send(server.origin, method, path, { token, ...json });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer.text === '' ? (undefined as T) : answer.json<T>();
  };
  const person = async (username: string, level: number): Promise<string> => {
    const user = { username, name: username, email: `${username}@example.test`, password: 'correct horse battery' };
    const { id } = await call<{ id: number }>('POST', '/api/v4/users', user);
    await call('POST', `${api}/members`, { user_id: id, access_level: level });
    const token = { name: 'laptop', scopes: ['api'] };
    return (await call<{ token: string }>('POST', `/api/v4/users/${id}/personal_access_tokens`, token)).token;
  };
  const [dan, mia, rob] = [await person('dan', 30), await person('mia', 40), await person('rob', 40)];
  await call('POST', `${api}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 60 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  await call('PUT', `${npm}/guards/latest`, { environment: 'production' });
  await call('PUT', `${npm}/-/guard_settings`, { on_refusal: 'stage' });

  const approve = (id: string, token: string) =>
    call<{ status: string }>('POST', `${npm}/-/requests/${id}/approval`, { status: 'approved' }, token);
  let published = 0;
  for (let round = 0; round < rounds; round += 1) {
    const names = Array.from({ length: releasesPerRound }, (_, index) => `round-${round}-${index}`);
    const ids = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      // Every other one is a move of a tag.
      const isMove = index % 2 === 1;
      if (isMove) {
        for (const [version, tag] of [
          ['1.0.0', 'latest'],
          ['2.0.0', 'next'],
        ] as const) {
          await call('PUT', `${npm}/${name}`, await makePublishDocument({ name, version, tag }));
        }
      }
      const waiting = isMove
        ? await call<Waiting>('PUT', `${npm}/-/package/${name}/dist-tags/latest`, '2.0.0', dan)
        : await call<Waiting>('PUT', `${npm}/${name}`, await makePublishDocument({ name, version: '2.0.0' }), dan);
      ids.set(name, waiting.id);
      await approve(waiting.id, mia);
    }
    const acknowledged = new Set<string>();
    const lanes = [0, 1].map(async (lane) => {
      try {
        for (const [name, id] of [...ids].slice(lane * (releasesPerRound / 2), (lane + 1) * (releasesPerRound / 2))) {
          expect(await approve(id, rob)).toMatchObject({ status: 'approved' });
          acknowledged.add(name);
        }
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    });
    // At a random moment of the approvals, not at one of their seams.
    const target = Math.floor(Math.random() * releasesPerRound);
    while (acknowledged.size < target && !server.hasEnded) await nextTurn();
    for (let turns = Math.floor(Math.random() * 50); turns > 0; turns -= 1) await nextTurn();
    await server.kill();
    await Promise.all(lanes);

    server = await start();
    const { items } = await call<{ items: Waiting[] }>('GET', `${npm}/-/requests?per_page=100`);
    for (const [name, id] of ids) {
      const packument = await send(server.origin, 'GET', `${npm}/${name}`, { token: rootToken });
      const latest =
        packument.status === 404 ? null : packument.json<{ 'dist-tags': { latest: string } }>()['dist-tags'].latest;
      const waits = items.find((item) => item.id === id);
      if (acknowledged.has(name)) expect(waits, `${name} was acknowledged`).toBeUndefined();
      if (waits) {
        expect(
          waits.approvals.map(({ user }) => user.username),
          `approvals of ${name}`,
        ).toEqual(['mia']);
        expect(latest).not.toBe('2.0.0');
        expect(await approve(id, rob), `${name} can still be released`).toMatchObject({ status: 'approved' });
      } else {
        expect(latest, name).toBe('2.0.0');
        published += 1;
      }
      const tarball = await send(server.origin, 'GET', `${npm}/${name}/-/${name}-2.0.0.tgz`, { token: rootToken });
      expect(tarball.status).toBe(200);
    }
    const doctor = await gatehouse(['doctor'], { dataDir });
    expect(doctor, doctor.stdout + doctor.stderr).toMatchObject({ code: 0 });
  }
  console.log(`${published} of ${rounds * releasesPerRound} releases came before the kill`);
});
