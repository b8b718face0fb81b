import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { LoginSession } from '../../../accounts/login/login-sessions.ts';

/** What the page of a login shows. */
export type LoginView =
  | { readonly kind: 'password'; readonly session: LoginSession; readonly problem?: string; readonly username?: string }
  /** The login is confirmed in the desktop app; the page reloads every two seconds. */
  | { readonly kind: 'window'; readonly session: LoginSession; readonly passwordUrl: string }
  | { readonly kind: 'message'; readonly title: string; readonly text: string; readonly isGood: boolean };

/** Sends the page: no scripts, no external content, no framing, no caching, and forms only to this server. */
export function sendLoginPage(res: ServerResponse, status: number, view: LoginView): void {
  const nonce = randomBytes(16).toString('base64');
  const html = Buffer.from(render(view, nonce));
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': html.length,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Not "no-referrer": browsers would send "Origin: null" with the form, which is refused as foreign.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  res.end(html);
}

function render(view: LoginView, nonce: string): string {
  const refresh = view.kind === 'window' ? '<meta http-equiv="refresh" content="2">' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refresh}
<title>${escape(titleOf(view))} · Gatehouse</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<header>${mark}<span>Gatehouse</span></header>
${bodyOf(view)}
</main>
</body>
</html>
`;
}

function titleOf(view: LoginView): string {
  return view.kind === 'message' ? view.title : 'Sign in';
}

function bodyOf(view: LoginView): string {
  switch (view.kind) {
    case 'message':
      return `<h1 class="${view.isGood ? 'good' : ''}">${escape(view.title)}</h1><p>${escape(view.text)}</p>`;
    case 'window':
      return `<h1>Confirm in the Gatehouse window</h1>
${whoAsks(view.session)}
<p class="code" aria-label="Code of this login">${escape(view.session.code)}</p>
<p>The window shows the same code.</p>
<p class="waiting" role="status">Waiting for your answer there…</p>
<p><a href="${escape(view.passwordUrl)}">Use a user name and password instead</a></p>`;
    case 'password':
      return `<h1>Sign in to your registry</h1>
${whoAsks(view.session)}
${view.problem === undefined ? '' : `<p class="problem" role="alert">${escape(view.problem)}</p>`}
<form method="post">
<input type="hidden" name="key" value="${escape(view.session.formKey)}">
<label>User name<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="255" value="${escape(view.username ?? '')}"${view.username === undefined ? ' autofocus' : ''}></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="1000"${view.username === undefined ? '' : ' autofocus'}></label>
<div class="actions"><button name="answer" value="allow">Sign in</button><button name="answer" value="deny" class="quiet" formnovalidate>Deny</button></div>
</form>
<p class="hint">No password yet? On the machine of the registry, run <code>gatehouse user password NAME</code>.</p>`;
  }
}

function whoAsks({ client, address }: LoginSession): string {
  const from = address === null ? '' : ` at ${escape(address)}`;
  return `<p><strong>${escape(client === '' ? 'An npm client' : client)}</strong>${from} asks for a token of yours. Only go on if you have just run <code>npm login</code>.</p>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const mark = `<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M3 21V5h4v3h3V5h4v3h3V5h4v16H3Z"/><path d="M9 21v-5a3 3 0 0 1 6 0v5"/></svg>`;

const style = `
:root{--ink:#1c2430;--soft:#5a6675;--line:#d8dee6;--paper:#fff;--ground:#f3f5f8;--accent:#2456c4;--on:#fff;--bad:#b3261e;--good:#1c7a45}
@media (prefers-color-scheme:dark){:root{--ink:#e7ebf1;--soft:#9aa6b5;--line:#333c49;--paper:#1b2029;--ground:#12161c;--accent:#8ab0ff;--on:#10151d;--bad:#ff9a92;--good:#7fdca6}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{width:100%;max-width:400px;background:var(--paper);border:1px solid var(--line);border-radius:14px;padding:28px}
header{display:flex;gap:8px;align-items:center;font-weight:600;color:var(--soft)}
h1{font-size:21px;line-height:1.25;margin:20px 0 8px}
h1.good{color:var(--good)}
p{margin:8px 0;color:var(--soft)}
strong,code{color:var(--ink)}
code{font:13px ui-monospace,SFMono-Regular,Menlo,monospace}
.code{margin:16px 0;padding:10px;border:1px dashed var(--line);border-radius:10px;text-align:center;color:var(--ink);font:600 22px ui-monospace,SFMono-Regular,Menlo,monospace;letter-spacing:.12em}
label{display:block;margin-top:14px;font-weight:600;font-size:13px}
input{display:block;width:100%;margin-top:4px;padding:9px 11px;font:inherit;font-size:15px;font-weight:400;color:inherit;background:var(--ground);border:1px solid var(--line);border-radius:8px}
.actions{display:flex;gap:10px;margin-top:20px}
button{flex:1;padding:10px;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:1px solid transparent;border-radius:8px;cursor:pointer}
button.quiet{flex:0 1 auto;padding-inline:18px;color:var(--ink);background:none;border-color:var(--line)}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.problem{color:var(--bad)}
.hint{margin-top:18px;font-size:13px}
`;
