import { z } from 'zod';
import { tokenLabel } from '../../../contract/constants.ts';
import { GatehouseError } from '../../../contract/errors.ts';
import { noReplyAddress } from '../../../accounts/naming.ts';
import { shorten } from '../../../lib/printable.ts';
import { isSame, type LoginSession } from '../../../accounts/login/login-sessions.ts';
import { type Answer, headerOf, noStore, ok, queryOf } from '../../respond.ts';
import { readDocument, readSmallBody } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { type NpmCall, type NpmRoute, requireUser, requireUserNamed } from '../npm-call.ts';
import { sendLoginPage } from './login-page.ts';

const loginDocument = z.object({ name: z.string().max(255), password: z.string().max(1000) });

const withoutToken = { access: 'anyone', ignoresToken: true } as const;
const passwordLogin = {
  handle: logIn,
  description: 'For npm 6 to 8, Yarn, and terminals without a browser. Creates no users.',
  ...withoutToken,
  body: loginDocument,
  answers: { 201: 'LoggedIn' },
} as const;

/** Logging in and out, by web and with a password. */
export const loginRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/v1/login',
    POST: {
      handle: startWebLogin,
      summary: 'Begin a login in the browser',
      ...withoutToken,
      answers: { 200: 'LoginAddresses' },
    },
  },
  {
    pattern: '/-/v1/login/page',
    GET: {
      handle: showPage,
      summary: 'Show the page of a login',
      ...withoutToken,
      query: { id: { type: 'string' }, with: { type: 'string', enum: ['password'] } },
      answers: { 200: 'html', 404: 'html' },
    },
    POST: {
      handle: answerPage,
      summary: 'Answer the page of a login',
      description: 'The form of the page; only that page has its key.',
      ...withoutToken,
      query: { id: { type: 'string' } },
      body: 'LoginForm',
      answers: { 200: 'html', 401: 'html', 404: 'html', 429: 'html' },
    },
  },
  {
    pattern: '/-/v1/done',
    GET: {
      handle: collectToken,
      summary: 'Collect the token of a login',
      description: 'The `doneUrl` of the login: 202 until it was answered, then the token, once.',
      ...withoutToken,
      query: { id: { type: 'string' }, secret: { type: 'string' } },
      answers: { 200: 'IssuedToken', 202: 'Empty' },
    },
  },
  {
    pattern: '/-/user/token/:token',
    DELETE: {
      handle: logOut,
      summary: 'Log out',
      description: 'The secret in the path is the token that is revoked.',
      ...withoutToken,
      answers: { 200: 'Ok' },
    },
  },
  {
    pattern: '/-/user/:key',
    GET: {
      handle: showUser,
      summary: 'Show a user by name',
      access: 'read_users',
      answers: { 200: 'NpmUser' },
    },
    PUT: { ...passwordLogin, summary: 'Log in with a password' },
  },
  { pattern: '/-/user/:key/-rev/:revision', PUT: { ...passwordLogin, summary: 'Log in with a password again' } },
];

const secondsBetweenPolls = 1;
const largestForm = 16 * 1024;

/** POST: clients send `{}`, a host name, or nothing at all; none of it matters. */
async function startWebLogin(call: NpmCall): Promise<Answer> {
  await readSmallBody(call.req, { size: largestForm }, () => undefined);
  const { id, secret } = call.registry.npm.logins.start(clientOf(call), call.address);
  // The prefix as the client wrote it: callers without a token must not learn which project it names.
  const base = `${call.origin}${call.prefix.text}/-/v1`;
  return ok({ loginUrl: `${base}/login/page?id=${id}`, doneUrl: `${base}/done?id=${id}&secret=${secret}` }, noStore);
}

/** GET of `doneUrl`: 202 until the login was answered, then the token, once. */
async function collectToken({ req, registry, address }: NpmCall): Promise<Answer> {
  const query = queryOf(req);
  const { logins, passwords } = registry.npm;
  const id = query.get('id') ?? '';
  const session = logins.find(id);
  if (req.method === 'HEAD' && session && session.state !== 'over') {
    return { status: session.state === 'pending' ? 202 : 200, body: {}, headers: noStore };
  }
  const outcome = logins.collect(id, query.get('secret') ?? '');
  if (outcome.state === 'pending') {
    return { status: 202, body: {}, headers: { ...noStore, 'Retry-After': String(secondsBetweenPolls) } };
  }
  const user = registry.people.users.get(outcome.userId);
  const { secret } = await passwords.issue(user, session?.client ?? '', address);
  return ok({ token: secret }, noStore);
}

function showPage(call: NpmCall): undefined {
  const { logins } = call.registry.npm;
  const query = queryOf(call.req);
  const session = logins.find(query.get('id') ?? '');
  if (session?.state !== 'pending') {
    showOutcome(call, session);
  } else if (logins.hasDesktop && query.get('with') !== 'password') {
    sendLoginPage(call.res, 200, { kind: 'window', session, passwordUrl: `?id=${session.id}&with=password` });
  } else sendLoginPage(call.res, 200, { kind: 'password', session });
}

function showOutcome({ res }: NpmCall, session: LoginSession | undefined): undefined {
  if (session?.state === 'approved' || (session?.state === 'over' && session.userId !== null)) {
    const text = 'Go back to your terminal; this page can be closed.';
    sendLoginPage(res, 200, { kind: 'message', title: 'You are signed in', text, isGood: true });
  } else if (session) {
    const text = 'The client gets no token. This page can be closed.';
    sendLoginPage(res, 200, { kind: 'message', title: 'Denied', text, isGood: false });
  } else {
    const text = 'It was answered already, or ten minutes have passed. Run the login again in your terminal.';
    sendLoginPage(res, 404, { kind: 'message', title: 'This login is over', text, isGood: false });
  }
}

/** POST of the page's form. Only that page has the key in it, so no other page can send the form for a visitor. */
async function answerPage(call: NpmCall): Promise<undefined> {
  const { req, res, registry, address } = call;
  const { logins, passwords } = registry.npm;
  const form = await readSmallBody(req, { size: largestForm }, (body) => new URLSearchParams(body.toString('utf8')));
  const session = logins.find(queryOf(req).get('id') ?? '');
  if (session?.state !== 'pending' || !isSame(session.formKey, form.get('key') ?? '')) {
    return showOutcome(call, session?.state === 'pending' ? undefined : session);
  }
  if (form.get('answer') === 'deny') {
    logins.deny(session.id);
    return showOutcome(call, logins.find(session.id));
  }
  const username = form.get('username') ?? '';
  try {
    const user = await passwords.check(username, form.get('password') ?? '', address);
    logins.approve(session.id, user.id);
  } catch (error) {
    if (!(error instanceof GatehouseError) || !['unauthenticated', 'rate_limited'].includes(error.code)) throw error;
    const retry = error.details.retryAfterSeconds;
    if (retry !== undefined) res.setHeader('Retry-After', String(retry));
    // The page says anyway how to get a password.
    const problem = error.code === 'unauthenticated' ? 'The user name or the password is not right.' : error.message;
    sendLoginPage(res, error.status, { kind: 'password', session, problem, username });
    return undefined;
  }
  return showOutcome(call, logins.find(session.id));
}

/** PUT of `org.couchdb.user:NAME`: the login of npm 6 to 8, of Yarn, and of terminals without a browser. Creates no users. */
async function logIn(call: NpmCall, { key = '' }: PathParameters): Promise<Answer> {
  const complaint = 'The body must be a JSON object with "name" and "password".';
  const { name, password } = await readDocument(call.req, loginDocument, complaint);
  const named = usernameIn(key);
  if (named.toLowerCase() !== name.toLowerCase())
    throw new GatehouseError('invalid_request', `The path names the user ${shorten(named)}, the body another.`);
  const { passwords } = call.registry.npm;
  try {
    const user = await passwords.check(name, password, call.address);
    const { secret } = await passwords.issue(user, clientOf(call), call.address);
    const body = { ok: true, id: key, rev: revisionOf(user.updatedAt), token: secret };
    return { status: 201, body, headers: noStore };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'unauthenticated') throw error;
    // "Basic" is what makes npm say that the password is wrong, rather than that the token is.
    const headers = { ...noStore, 'WWW-Authenticate': 'Basic realm="Gatehouse"' };
    return { status: 401, body: { message: '401 Unauthorized', error: error.message }, headers };
  }
}

/** GET of `org.couchdb.user:NAME`: `npm owner add` looks there for a name and an address. */
function showUser(call: NpmCall, { key = '' }: PathParameters): Answer {
  const caller = requireUser(call, 'read_users').user;
  const user = requireUserNamed(call, usernameIn(key));
  return ok({
    _id: `org.couchdb.user:${user.username}`,
    _rev: revisionOf(user.updatedAt),
    type: 'user',
    name: user.username,
    fullname: user.name,
    email: caller.isAdmin || caller.id === user.id ? user.email : noReplyAddress(user.username),
    roles: [],
    date: new Date(user.createdAt).toISOString(),
  });
}

/** DELETE: a token may always be revoked with itself, and more than once. */
async function logOut(call: NpmCall, { token = '' }: PathParameters): Promise<Answer> {
  const { tokens, users } = call.registry.people;
  const found = call.guard.lookUp(token, call.address, () => {
    const known = tokens.findBySecret(token);
    if (!known) throw new GatehouseError('not_found', 'There is no such token here.');
    return known;
  });
  const user = users.get(found.userId);
  const actor = { userId: user.id, username: user.username, origin: 'http', address: call.address } as const;
  await tokens.revoke({ ...actor, token: tokenLabel(found) }, found.id);
  return ok({ ok: true });
}

function usernameIn(key: string): string {
  const prefix = 'org.couchdb.user:';
  if (key.startsWith(prefix)) return key.slice(prefix.length);
  throw new GatehouseError('not_found');
}

function revisionOf(updatedAt: number): string {
  return `1-${updatedAt.toString(16)}`;
}

function clientOf({ req }: NpmCall): string {
  return shorten(headerOf(req, 'user-agent') ?? '', 120);
}
