/**
 * The page behind a manifest's `repository` or `homepage`: `git+https://host/a/b.git`, `git@host:a/b.git` and `github:a/b` become
 * https addresses. Undefined for anything that is not a web address (`javascript:`, `file:`, words).
 */
export function webAddress(value: string): string | undefined {
  const hosts: Record<string, string> = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' };
  const short = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(value);
  const scp = /^git@([\w.-]+):(.+)$/.exec(value);
  let text = value;
  if (short?.[2] !== undefined) text = `https://${hosts[short[1] ?? 'github'] ?? 'github.com'}/${short[2]}`;
  else if (scp?.[1] !== undefined && scp[2] !== undefined) text = `https://${scp[1]}/${scp[2]}`;
  text = text.replace(/^git\+/, '').replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://');
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  if (text !== value) url.pathname = url.pathname.replace(/\.git$/, '');
  return url.href;
}
