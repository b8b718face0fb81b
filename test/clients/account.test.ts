import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames } from './support/client.ts';
import type { Client, ClientName } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { answering, refused, succeeded } from './support/run-command.ts';
import type { Conversation } from './support/run-command.ts';
import type { Person } from './support/seed.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

const npms = ['npm8', 'npm10', 'npm11', 'npm12'] as const;
const passingToNpm = ['pnpm9', 'pnpm10'] as const;

function whoamiOf(name: ClientName): string[] {
  if (name === 'yarn4') return ['npm', 'whoami'];
  return name === 'bun' ? ['pm', 'whoami'] : ['whoami'];
}

// Yarn 1 has neither command.
describe.each(clientNames.filter((name) => name !== 'yarn1'))('%s', (name) => {
  test('says who its token belongs to, on every prefix', async () => {
    for (const registry of [gatehouse.projectRegistry(), gatehouse.groupRegistry(1), gatehouse.instanceRegistry]) {
      const client = await makeClient(name, gatehouse, { registry, token: gatehouse.people.dev.token });
      expect(succeeded(await client.run(await client.newProject(), ...whoamiOf(name))).stdout).toMatch(/\bdev\b/);
    }
  });

  test('says that nobody is logged in without a token', async () => {
    const client = await makeClient(name, gatehouse, { token: null });
    const { output } = refused(await client.run(await client.newProject(), ...whoamiOf(name)));
    expect(output).toMatch(/log(ged)? ?in|adduser|auth/i);
  });
});

describe.each([...npms, ...passingToNpm, 'pnpm12'] as const)('%s', (name) => {
  test('pings', async () => {
    const client = await makeClient(name, gatehouse, { token: null });
    expect(succeeded(await client.run(await client.newProject(), 'ping')).output).toMatch(/pong/i);
  });
});

/** Answers a login's page as a person in a browser would, once its address was printed. */
function signingInAs({ username, password }: Person, answered: Promise<unknown>[]): Conversation {
  let isOpen = false;
  let isDeclined = false;
  return (output, type) => {
    // Yarn 4 wants to open a browser itself.
    if (!isDeclined && output.includes('open your browser')) {
      isDeclined = true;
      type('n');
    }
    const address = /(http:\/\/\S+\/v1\/login\/page\?id=[\w-]+)\s/.exec(output)?.[1];
    if (isOpen || address === undefined) return;
    isOpen = true;
    answered.push(submitPage(address, username, password));
  };
}

async function submitPage(address: string, username: string, password: string): Promise<string> {
  const page = await (await fetch(address)).text();
  const key = /name="key"[^>]*value="([^"]+)"/.exec(page)?.[1];
  if (key === undefined) throw new Error(`The page of the login has no form:\n${page}`);
  const body = new URLSearchParams({ key, username, password });
  const answer = await fetch(address, { method: 'POST', body });
  return answer.text();
}

/** The secret that a client wrote into whichever file of its home it keeps it in. */
async function storedToken(client: Client): Promise<string | undefined> {
  const entries = await readdir(client.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('_logs'));
  const texts = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')));
  return /glpat-[\w-]+/.exec(texts.join('\n'))?.[0];
}

async function expectValid(token: string | undefined, username: string): Promise<void> {
  const answer = await fetch(`${gatehouse.projectRegistry()}-/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, await answer.json()]).toEqual([200, { username }]);
}

async function expectRevoked(token: string | undefined): Promise<void> {
  const answer = await fetch(`${gatehouse.projectRegistry()}-/whoami`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(401);
}

describe.each([...npms, 'pnpm12', 'yarn4'] as const)('login by web with %s', (name) => {
  test('prints a page, gets a token once a person signed in there, and gives it up on logout', async () => {
    const client = await makeClient(name, gatehouse, { token: null });
    const folder = await client.newProject();
    const answered: Promise<unknown>[] = [];
    const login = name === 'yarn4' ? ['npm', 'login', '--web-login'] : ['login'];
    succeeded(await client.converse(folder, login, signingInAs(gatehouse.people.dev, answered)));
    expect(await Promise.all(answered)).toHaveLength(1);
    expect(succeeded(await client.run(folder, ...whoamiOf(name))).stdout).toMatch(/\bdev\b/);
    const token = await storedToken(client);
    await expectValid(token, 'dev');
    succeeded(await client.run(folder, ...(name === 'yarn4' ? ['npm', 'logout'] : ['logout'])));
    refused(await client.run(folder, ...whoamiOf(name)));
    // Yarn 4 only forgets its token.
    if (name !== 'yarn4') await expectRevoked(token);
  });
});

describe.each(['npm10', 'npm11', 'npm12'] as const)('login with a password with %s', (name) => {
  const login = ['login', '--auth-type=legacy'];

  test('gets a token', async () => {
    const client = await makeClient(name, gatehouse, { token: null });
    const folder = await client.newProject();
    const { username, password } = gatehouse.people.maria;
    succeeded(await client.converse(folder, login, answering([/Username:/, username], [/Password:/, password])));
    expect(succeeded(await client.run(folder, 'whoami')).stdout).toContain(username);
    await expectValid(await storedToken(client), username);
  });

  test('is told that the password is wrong', async () => {
    const client = await makeClient(name, gatehouse, { token: null });
    const answers = answering([/Username:/, 'dev'], [/Password:/, 'not the password']);
    const { output } = refused(await client.converse(await client.newProject(), login, answers));
    expect(output).toMatch(/password/i);
    expect(output).toMatch(/wrong|not right|incorrect|invalid/i);
    expect(await storedToken(client)).toBeUndefined();
  });
});

describe.each(npms)('tokens with %s', (name) => {
  test('are made, listed and revoked', async () => {
    const { dev } = gatehouse.people;
    const client = await makeClient(name, gatehouse, { token: dev.token });
    const folder = await client.newProject();
    const named = name === 'npm11' || name === 'npm12' ? ['--name', `ci of ${name}`] : [];
    const { output } = succeeded(
      await client.converse(folder, ['token', 'create', ...named], answering([/password/i, dev.password])),
    );
    const secret = /glpat-[\w-]+/.exec(output.replace(/\s*│\s*\n\s*│\s*│?/g, ''))?.[0];
    await expectValid(secret, 'dev');
    const list = succeeded(await client.run(folder, 'token', 'list', '--json')).stdout;
    const tokens = JSON.parse(list) as { key: string; token: string }[];
    const made = tokens.find(({ token }) => token !== '' && secret?.endsWith(token.replace(/…/g, '')) === true);
    expect(made).toBeDefined();
    succeeded(await client.run(folder, 'token', 'revoke', made?.key ?? ''));
    await expectRevoked(secret);
    await expectValid(dev.token, 'dev');
  });
});
