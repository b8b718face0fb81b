import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { send } from '../../support/http.ts';
import type { Answer } from '../../support/http.ts';
import { TestRegistry } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

const password = 'correct horse battery';

async function startLogin(prefix = kit.projectPath(), headers: Record<string, string> = {}) {
  const answer = await kit.send('POST', `${prefix}/-/v1/login`, { token: undefined, headers });
  expect(answer.status).toBe(200);
  const { loginUrl, doneUrl } = answer.json<{ loginUrl: string; doneUrl: string }>();
  const path = (url: string) => url.replace(kit.origin, '');
  return { loginUrl, doneUrl, page: path(loginUrl), done: path(doneUrl) };
}

function poll(path: string): Promise<Answer> {
  return kit.get(path, { token: undefined });
}

function sendForm(page: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  return kit.send('POST', page, {
    token: undefined,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

function keyOf(page: Answer): string {
  return /name="key" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
}

function logIn(name: string, secret: string, prefix = kit.projectPath()): Promise<Answer> {
  return kit.send('PUT', `${prefix}/-/user/org.couchdb.user:${encodeURIComponent(name)}`, {
    token: undefined,
    body: { _id: `org.couchdb.user:${name}`, name, password: secret, type: 'user', roles: [], date: new Date() },
  });
}

test('web login: start with no body, sign in on the page, collect a token that works, once', async () => {
  await kit.user({ username: 'ann', password });
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.instancePath]) {
    const { page, done } = await startLogin(prefix);
    const waiting = await poll(done);
    expect(waiting.status).toBe(202);
    expect(waiting.headers['retry-after']).toBe('1');
    const shown = await poll(page);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('Sign in to your registry');
    const signedIn = await sendForm(page, { key: keyOf(shown), username: 'ann', password, answer: 'allow' });
    expect(signedIn.text).toContain('You are signed in');
    const collected = await poll(done);
    expect(collected.status).toBe(200);
    const { token } = collected.json<{ token: string }>();
    expect((await kit.get(`${prefix}/-/whoami`, { token })).json()).toEqual({ username: 'ann' });
    expect((await poll(done)).status).toBe(404);
    expect((await poll(page)).text).toContain('You are signed in');
  }
});

test('a token that no longer works does not stand in the way of a new login', async () => {
  const { user, token } = await kit.user({ username: 'ann', password });
  const record = kit.directory.tokens.findBySecret(token);
  await kit.directory.tokens.revoke(
    { userId: user.id, username: 'ann', origin: 'cli', address: null },
    record?.id ?? 0,
  );
  expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token })).status).toBe(401);
  const { done } = await startLogin(kit.projectPath(), { authorization: `Bearer ${token}` });
  expect((await kit.get(done, { token })).status).toBe(202);
  const legacy = await kit.send('PUT', `${kit.projectPath()}/-/user/org.couchdb.user:ann`, {
    token,
    body: { name: 'ann', password },
  });
  expect(legacy.status).toBe(201);
});

test('the page runs nothing, is framed by nobody, kept by nobody and sends forms only home', async () => {
  const { page } = await startLogin();
  const { headers, text } = await poll(page);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['referrer-policy']).not.toBe('no-referrer');
  expect(text).not.toContain('<script');
});

test('text of the client can not become part of the page', async () => {
  const { page } = await startLogin(kit.projectPath(), { 'user-agent': '<script>alert(1)</script>"\'&' });
  const { text } = await poll(page);
  expect(text).not.toContain('<script');
  expect(text).toContain('&#60;script&#62;');
});

test('a form without the key of the page, or from another origin, signs nobody in', async () => {
  await kit.user({ username: 'ann', password });
  const { page, done } = await startLogin();
  const key = keyOf(await poll(page));
  await sendForm(page, { key: 'guess', username: 'ann', password, answer: 'allow' });
  expect((await poll(done)).status).toBe(202);
  const foreign = await sendForm(page, { key, username: 'ann', password }, { origin: 'http://evil.test' });
  expect(foreign.status).toBe(403);
  expect((await poll(done)).status).toBe(202);
  const own = await sendForm(page, { key, username: 'ann', password }, { origin: kit.origin });
  expect(own.status).toBe(200);
  expect((await poll(done)).status).toBe(200);
});

test('denying ends the login with 403', async () => {
  const { page, done } = await startLogin();
  const denied = await sendForm(page, { key: keyOf(await poll(page)), answer: 'deny' });
  expect(denied.text).toContain('Denied');
  expect((await poll(done)).status).toBe(403);
});

test('the window of the desktop app is asked where there is one, and a password still does', async () => {
  const detach = kit.registry.npm.logins.attachDesktop();
  const { page, done } = await startLogin();
  const shown = await poll(page);
  expect(shown.text).toContain('Confirm in the Gatehouse window');
  expect(shown.text).toContain('http-equiv="refresh"');
  expect((await poll(`${page}&with=password`)).text).toContain('<form');
  const [pending] = kit.registry.npm.logins.pending();
  expect(shown.text).toContain(pending?.code);
  kit.registry.npm.logins.approve(pending?.id ?? '', 1);
  const { token } = (await poll(done)).json<{ token: string }>();
  expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token })).json()).toEqual({ username: 'root' });
  detach();
});

test('another secret collects nothing', async () => {
  const { done } = await startLogin();
  expect((await poll(done.replace(/secret=.*/, 'secret=guess'))).status).toBe(404);
  expect((await poll(done)).status).toBe(202);
});

test('legacy login: 201 with a token for the right password, one and the same 401 for everything else', async () => {
  await kit.user({ username: 'ann', password });
  await kit.user({ username: 'nopass' });
  const right = await logIn('ann', password);
  expect(right.status).toBe(201);
  const { ok, token } = right.json<{ ok: boolean; token: string }>();
  expect(ok).toBe(true);
  expect((await kit.get(`${kit.instancePath}/-/whoami`, { token })).json()).toEqual({ username: 'ann' });
  const refusals = [
    await logIn('ann', 'wrong'),
    await logIn('nobody', password),
    await logIn('nopass', ''),
    await logIn('root', 'x'),
  ];
  for (const refusal of refusals) {
    expect(refusal.status).toBe(401);
    expect(refusal.text).toBe(refusals[0]?.text);
    expect(refusal.headers['www-authenticate']).toContain('Basic');
  }
  expect(refusals[0]?.text).toContain('gatehouse user password');
  expect(kit.directory.users.findByUsername('nobody')).toBeUndefined();
});

test('a body that is no login is told as 400', async () => {
  const path = `${kit.projectPath()}/-/user/org.couchdb.user:ann`;
  for (const body of ['{', '[]', '{"name":"ann"}', '{"name":"bob","password":"x"}', '']) {
    const answer = await kit.send('PUT', path, {
      token: undefined,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status, body).toBe(400);
  }
});

test('guessing passwords is refused after ten wrong ones, even with the right one, and told the same way', async () => {
  await kit.user({ username: 'ann', password });
  for (let index = 0; index < 10; index += 1) expect((await logIn('ann', `guess ${index}`)).status).toBe(401);
  const wrong = await logIn('ann', 'one more');
  const right = await logIn('ann', password);
  expect(wrong.status).toBe(429);
  expect(right.status).toBe(429);
  expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
});

test('many guesses at once are not all let through', async () => {
  await kit.user({ username: 'ann', password });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => logIn('ann', `guess ${index}`)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
});

test('the e-mail address and the user name are one account, whatever their case and wherever on this machine the guesses come from', async () => {
  await kit.user({ username: 'ann', password });
  const names = ['ann', 'ANN', 'ann@example.test', 'Ann@Example.test'];
  for (let index = 0; index < 10; index += 1)
    expect((await logIn(names[index % 4] ?? '', `guess ${index}`)).status).toBe(401);
  for (const name of names) expect((await logIn(name, password)).status).toBe(429);
});

test('a hash with older parameters still lets its user in, and is made anew', async () => {
  const { user } = await kit.user({ username: 'ann' });
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  const { store } = kit.registry.directory;
  const old = `scrypt$1024$8$1$${salt.toString('base64')}$${key.toString('base64')}`;
  await kit.registry.directory.write(() => store.users.setPasswordHash(user.id, old));
  expect((await logIn('ann', 'wrong')).status).toBe(401);
  expect(store.users.passwordHashOf(user.id)).toBe(old);
  expect((await logIn('ann', password)).status).toBe(201);
  expect(store.users.passwordHashOf(user.id)).toMatch(/^scrypt\$16384\$8\$1\$/);
  expect((await logIn('ann', password)).status).toBe(201);
});

test('while 400 logins are guessed, from as many networks, a download and a publish do not wait for them', async () => {
  const registry = await TestRegistry.start({ hosts: { trustProxy: true } });
  await registry.publish({ name: 'first', version: '1.0.0' });
  let hashed = 0;
  const logins = Array.from({ length: 400 }, async (_, index) => {
    const answer = await registry.send('PUT', `${registry.projectPath()}/-/user/org.couchdb.user:user${index}`, {
      token: undefined,
      headers: { 'x-forwarded-for': `10.0.${index % 200}.${index}` },
      body: { name: `user${index}`, password },
    });
    if (answer.status !== 429) hashed += 1;
    return answer;
  });
  const download = await registry.get(`${registry.projectPath()}/first/-/first-1.0.0.tgz`);
  expect(download.status).toBe(200);
  await registry.publish({ name: 'second', version: '1.0.0' });
  const hashedBefore = hashed;
  const answers = await Promise.all(logins);
  // They once waited for the hashes of all. How many come before them depends on the machine.
  expect(hashedBefore).toBeLessThan(hashed);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(200);
  expect(refused.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
  expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  await registry.stop();
});

test('unknown tokens that are looked up by logging out or revoking count as guesses', async () => {
  const { token } = await kit.user({ username: 'ann' });
  const logOut = (secret: string) =>
    kit.send('DELETE', `${kit.projectPath()}/-/user/token/${secret}`, { token: undefined });
  for (let index = 0; index < 150; index += 1) {
    expect((await logOut(`glpat-guess${index}`)).status).toBe(404);
    const revoked = await kit.send('DELETE', `${kit.projectPath()}/-/npm/v1/tokens/token/glpat-guess${index}`);
    expect(revoked.status).toBe(404);
  }
  const refused = await logOut('glpat-one-more');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  // On this machine every valid token goes on working.
  expect((await logOut(token)).status).toBe(200);
});

test('logout really ends the token, also with the token itself, also twice', async () => {
  const { token } = await kit.user({ username: 'ann' });
  const path = `${kit.projectPath()}/-/user/token/${encodeURIComponent(token)}`;
  expect((await kit.send('DELETE', path, { token })).status).toBe(200);
  const after = await kit.get(`${kit.projectPath()}/-/whoami`, { token });
  expect(after.status).toBe(401);
  expect(after.json()['error']).toBe('invalid_token');
  expect((await kit.send('DELETE', path, { token })).status).toBe(200);
  expect(
    (await kit.send('DELETE', `${kit.projectPath()}/-/user/token/glpat-unknown`, { token: undefined })).status,
  ).toBe(404);
});

test('a user is shown to people who are signed in, with the e-mail address to that user and to administrators', async () => {
  const { token } = await kit.user({ username: 'ann' });
  const other = await kit.user();
  const path = `${kit.projectPath()}/-/user/org.couchdb.user:ann`;
  expect((await kit.get(path)).json()).toMatchObject({
    name: 'ann',
    email: 'ann@example.test',
    _id: 'org.couchdb.user:ann',
  });
  expect((await kit.get(path, { token })).json()).toMatchObject({ email: 'ann@example.test' });
  expect((await kit.get(path, { token: other.token })).json()).toMatchObject({
    name: 'ann',
    email: 'ann@users.noreply.gatehouse.local',
  });
  expect((await kit.get(path, { token: undefined })).status).toBe(401);
  expect((await kit.get(`${kit.projectPath()}/-/user/org.couchdb.user:nobody`)).status).toBe(404);
});

test('a login started over another name of the host is answered on that name', async () => {
  const answer = await send(kit.origin, 'POST', `${kit.projectPath()}/-/v1/login`, {
    headers: { host: `localhost:${kit.server.port}` },
  });
  expect(answer.json()['loginUrl']).toMatch(new RegExp(`^http://localhost:${kit.server.port}/`));
});
