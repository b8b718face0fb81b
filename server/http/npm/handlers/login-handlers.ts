import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import type { LoginSession } from '../../../accounts/login/login-sessions.ts';
import { isSame } from '../../../accounts/login/login-sessions.ts';
import { readBody, readJson } from '../../request-body.ts';
import { headerOf, queryOf, rawPathOf, sendJson } from '../../respond.ts';
import { sendLoginPage } from './login-page.ts';
import { requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** Logging in and out, by web and with a password (api/clients.md 4). */
export const loginServices: readonly Service[] = [
  { path: 'v1/login', methods: { POST: startWebLogin }, ignoresToken: ['POST'] },
  { path: 'v1/login/page', methods: { GET: showPage, POST: answerPage }, ignoresToken: ['GET', 'POST'] },
  { path: 'v1/done', methods: { GET: collectToken }, ignoresToken: ['GET'] },
  { path: 'user/token/:token', methods: { DELETE: logOut }, ignoresToken: ['DELETE'] },
  { path: 'user/:key', methods: { GET: showUser, PUT: logIn }, ignoresToken: ['PUT'] },
  { path: 'user/:key/-rev/:revision', methods: { PUT: logIn }, ignoresToken: ['PUT'] },
];

const secondsBetweenPolls = 1;
const largestForm = 16 * 1024;

/** POST `/-/v1/login`. Clients send `{}`, a host name, or nothing at all; none of it matters. */
async function startWebLogin(context: NpmContext): Promise<void> {
  await readSmall(context);
  const session = context.registry.npm.logins.start(clientOf(context), context.address);
  // The prefix as the client wrote it: what a path stands for is nothing to tell to somebody who is not signed in.
  const path = rawPathOf(context.req).replace(/\/-\/v1\/login\/?$/, '');
  const base = `${context.origin}${path}/-/v1`;
  sendJson(
    context.res,
    200,
    {
      loginUrl: `${base}/login/page?id=${session.id}`,
      doneUrl: `${base}/done?id=${session.id}&secret=${session.secret}`,
    },
    noStore,
  );
}

/** GET of `doneUrl`: 202 until somebody answered, then the token, once. */
async function collectToken(context: NpmContext): Promise<void> {
  const { req, res, registry } = context;
  const query = queryOf(req);
  const { logins, passwords } = registry.npm;
  const id = query.get('id') ?? '';
  const session = logins.find(id);
  if (req.method === 'HEAD' && session && session.state !== 'over') {
    sendJson(res, session.state === 'pending' ? 202 : 200, {}, noStore);
    return;
  }
  const outcome = logins.collect(id, query.get('secret') ?? '');
  if (outcome.state === 'pending') {
    sendJson(res, 202, {}, { ...noStore, 'Retry-After': String(secondsBetweenPolls) });
    return;
  }
  const user = registry.people.users.get(outcome.userId);
  const { secret } = await passwords.issue(user, session?.client ?? '', context.address);
  sendJson(res, 200, { token: secret }, noStore);
}

function showPage(context: NpmContext): void {
  const { req, res, registry } = context;
  const { logins } = registry.npm;
  const query = queryOf(req);
  const session = logins.find(query.get('id') ?? '');
  if (session?.state !== 'pending') {
    showOutcome(context, session);
    return;
  }
  if (logins.hasDesktop && query.get('with') !== 'password') {
    sendLoginPage(res, 200, { kind: 'window', session, passwordUrl: `?id=${session.id}&with=password` });
    return;
  }
  sendLoginPage(res, 200, { kind: 'password', session });
}

function showOutcome({ res }: NpmContext, session: LoginSession | undefined): void {
  const approved = {
    title: 'You are signed in',
    text: 'Go back to your terminal; this page can be closed.',
    isGood: true,
  };
  if (session?.state === 'approved' || (session?.state === 'over' && session.userId !== null)) {
    sendLoginPage(res, 200, { kind: 'message', ...approved });
  } else if (session) {
    const text = 'The client gets no token. This page can be closed.';
    sendLoginPage(res, 200, { kind: 'message', title: 'Denied', text, isGood: false });
  } else {
    const text = 'It was answered already, or ten minutes have passed. Run the login again in your terminal.';
    sendLoginPage(res, 404, { kind: 'message', title: 'This login is over', text, isGood: false });
  }
}

/** POST of the page's form. The key in it is on that page alone, so no other page can send the form for a visitor. */
async function answerPage(context: NpmContext): Promise<void> {
  const { req, res, registry, address } = context;
  const { logins, passwords } = registry.npm;
  const form = new URLSearchParams(await readSmall(context));
  const session = logins.find(queryOf(req).get('id') ?? '');
  if (session?.state !== 'pending' || !isSame(session.formKey, form.get('key') ?? '')) {
    showOutcome(context, session?.state === 'pending' ? undefined : session);
    return;
  }
  if (form.get('answer') === 'deny') {
    logins.deny(session.id);
    showOutcome(context, logins.find(session.id));
    return;
  }
  const username = form.get('username') ?? '';
  try {
    const user = await passwords.check(username, form.get('password') ?? '', address);
    logins.approve(session.id, user.id);
  } catch (error) {
    if (!(error instanceof GatehouseError) || !isAnswer(error.code)) throw error;
    const retry = error.details.retryAfterSeconds;
    if (retry !== undefined) res.setHeader('Retry-After', String(retry));
    // The page says anyway how to get a password.
    const problem = error.code === 'unauthenticated' ? 'The user name or the password is not right.' : error.message;
    sendLoginPage(res, error.status, { kind: 'password', session, problem, username });
    return;
  }
  showOutcome(context, logins.find(session.id));
}

function isAnswer(code: GatehouseError['code']): boolean {
  return code === 'unauthenticated' || code === 'rate_limited';
}

const loginDocument = z.object({ name: z.string().max(255), password: z.string().max(1000) });

/** PUT of `org.couchdb.user:NAME`: the login of npm 6 to 8, of Yarn, and of terminals without a browser. Makes no users. */
async function logIn(context: NpmContext, { key = '' }: PathParameters): Promise<void> {
  const parsed = loginDocument.safeParse(await readJson(context.req));
  if (!parsed.success) {
    throw new GatehouseError('invalid_request', 'The body must be a JSON object with "name" and "password".');
  }
  const { name, password } = parsed.data;
  if (usernameIn(key).toLowerCase() !== name.toLowerCase()) {
    throw new GatehouseError(
      'invalid_request',
      `The path names the user ${shorten(usernameIn(key))}, the body another.`,
    );
  }
  const { passwords } = context.registry.npm;
  try {
    const user = await passwords.check(name, password, context.address);
    const { secret } = await passwords.issue(user, clientOf(context), context.address);
    sendJson(context.res, 201, { ok: true, id: key, rev: revisionOf(user.updatedAt), token: secret }, noStore);
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'unauthenticated') throw error;
    // "Basic" is what makes npm say that the password is wrong, rather than that the token is.
    const headers = { ...noStore, 'WWW-Authenticate': 'Basic realm="Gatehouse"' };
    sendJson(context.res, 401, { message: '401 Unauthorized', error: error.message }, headers);
  }
}

/** GET of `org.couchdb.user:NAME`: `npm owner add` looks there for a name and an address (api/clients.md 5). */
function showUser(context: NpmContext, { key = '' }: PathParameters): void {
  requireUser(context);
  const username = usernameIn(key);
  const user = context.registry.people.users.findByUsername(username);
  if (!user) {
    throw new GatehouseError('user_not_found', `User not found. There is no user "${shorten(username)}" here.`, {
      gitlabMessage: 'User Not Found',
    });
  }
  sendJson(context.res, 200, {
    _id: `org.couchdb.user:${user.username}`,
    _rev: revisionOf(user.updatedAt),
    type: 'user',
    name: user.username,
    fullname: user.name,
    email: user.email,
    roles: [],
    date: new Date(user.createdAt).toISOString(),
  });
}

/** DELETE of `/-/user/token/<token>`. Who has the token may end it, whatever else he may do; ending it twice is no mistake. */
async function logOut(context: NpmContext, { token = '' }: PathParameters): Promise<void> {
  const { tokens } = context.registry.people;
  const found = tokens.findBySecret(token);
  if (!found) {
    throw new GatehouseError('not_found', 'There is no such token here.');
  }
  const user = context.registry.people.users.get(found.userId);
  await tokens.revoke({ userId: user.id, username: user.username, origin: 'http', address: context.address }, found.id);
  sendJson(context.res, 200, { ok: true });
}

const noStore = { 'Cache-Control': 'no-store' };

function usernameIn(key: string): string {
  const prefix = 'org.couchdb.user:';
  if (key.startsWith(prefix)) return key.slice(prefix.length);
  throw new GatehouseError('not_found');
}

function revisionOf(updatedAt: number): string {
  return `1-${updatedAt.toString(16)}`;
}

function clientOf({ req }: NpmContext): string {
  return shorten(headerOf(req, 'user-agent') ?? '', 120);
}

async function readSmall({ req }: NpmContext): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBody(req)) {
    size += chunk.length;
    if (size > largestForm)
      throw new GatehouseError('payload_too_large', `The body is larger than ${largestForm} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
